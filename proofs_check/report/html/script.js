"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const claims = all("details.claim");
  const nodes = new Map(all(".node").map((node) => [node.dataset.claim, node]));
  const edges = all(".edges path");
  const filters = all("[data-filter]");
  const search = one("#search");
  const text = new Map(claims.map((claim) => [claim, claim.textContent.toLowerCase()]));

  function applyFilters() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const claim of claims) {
      const fits =
        filters.every((filter) => !filter.value || claim.dataset[filter.dataset.filter] === filter.value) &&
        words.every((word) => text.get(claim).includes(word));
      claim.hidden = !fits;
      nodes.get(claim.id)?.classList.toggle("faded", !fits);
      shown += fits;
    }
    for (const part of all(".part")) part.hidden = !part.querySelector("details.claim:not([hidden])");
    one("#none").hidden = shown > 0;
    one("#count").textContent = `${shown} of ${claims.length} claims`;
  }

  /** Everything reachable from a claim along the edges, one way. */
  function reach(id, from, to) {
    const found = new Set([id]);
    for (let before = 0; before !== found.size; ) {
      before = found.size;
      for (const edge of edges) if (found.has(edge.dataset[from])) found.add(edge.dataset[to]);
    }
    return found;
  }

  function highlight(id) {
    const below = id ? reach(id, "target", "source") : new Set();
    const above = id ? reach(id, "source", "target") : new Set();
    for (const [key, node] of nodes) {
      node.classList.toggle("lit", below.has(key) || above.has(key));
      node.classList.toggle("dim", Boolean(id) && !below.has(key) && !above.has(key));
    }
    for (const edge of edges) {
      const { source, target } = edge.dataset;
      const lit = (below.has(source) && below.has(target)) || (above.has(source) && above.has(target));
      edge.classList.toggle("lit", lit);
      edge.classList.toggle("dim", Boolean(id) && !lit);
    }
  }

  /** A link to a claim opens it, and shows it even if the filters hide it. */
  function follow() {
    const claim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!claim?.matches("details.claim")) return;
    if (claim.hidden) {
      one(".filters").reset();
      applyFilters();
    }
    claim.open = true;
    claim.scrollIntoView({ block: "start" });
    claim.querySelector("summary").focus({ preventScroll: true });
  }

  function setOpen(open) {
    for (const claim of claims) if (!claim.hidden) claim.open = open;
  }

  function remember(theme) {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // storage may be closed to local files; the choice then lasts as long as the page
    }
  }

  function recall() {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  }

  const stored = recall();
  if (stored) document.documentElement.dataset.theme = stored;
  one("#theme").addEventListener("click", () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const current = document.documentElement.dataset.theme || system;
    remember(current === "dark" ? "light" : "dark");
  });

  for (const type of ["input", "change"]) one(".filters").addEventListener(type, applyFilters);
  one(".filters").addEventListener("submit", (event) => event.preventDefault());
  one(".filters").addEventListener("reset", () => setTimeout(applyFilters));
  one("#expand").addEventListener("click", () => setOpen(true));
  one("#collapse").addEventListener("click", () => setOpen(false));
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      applyFilters();
    }
  });
  for (const [id, node] of nodes) {
    for (const type of ["mouseenter", "focus"]) node.addEventListener(type, () => highlight(id));
    for (const type of ["mouseleave", "blur"]) node.addEventListener(type, () => highlight(null));
    node.addEventListener("click", () => {
      if (decodeURIComponent(location.hash.slice(1)) === id) follow();
    });
  }
  addEventListener("hashchange", follow);
  addEventListener("load", follow);
  applyFilters();
})();
