"""The page: complete in itself, everything escaped, usable by hand, by keyboard and on a phone."""

import re
import shutil
from html.parser import HTMLParser

import pytest

from proofs_check.ledger import load
from proofs_check.report.html import to_html
from proofs_check.report.html.graph import NODE_HEIGHT, layout
from proofs_check.report.html.mathml import formula_markup, statement_markup

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
SWITCHES = (
    "headless",
    "no-sandbox",
    "disable-gpu",
    "disable-quic",
    "no-first-run",
    "disable-background-networking",
    "disable-component-update",
    "disable-sync",
)


@pytest.fixture(scope="module")
def page(broken):
    return to_html(broken)


class Elements(HTMLParser):
    """Collects every element with its attributes, and checks that elements nest."""

    VOID = frozenset({"meta", "link", "input", "br"})

    def __init__(self, page):
        super().__init__()
        self.found, self.open = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_page_is_well_formed_and_needs_no_network(page):
    elements = Elements(page)
    assert elements.open == []
    assert sum(tag == "script" for tag, _ in elements.found) == 1
    attributes = [item for _, of_element in elements.found for item in of_element.items()]
    links = [value for name, value in attributes if name in ("src", "href")]
    assert all(link.startswith("#") or link == "data:," for link in links)
    assert not re.search(r"@import|url\(|https?://", page)


def test_everything_is_escaped(page):
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in page
    assert not re.search(r"""(href|src|on\w+)\s*=\s*["']?\s*javascript""", page)
    assert statement_markup("<b> & $<i>$").startswith("&lt;b&gt; &amp; <math")
    assert "<i>" not in formula_markup("<i>")
    assert "<b>" not in formula_markup(r"\text{<b>x</b>}")


def test_every_claim_has_its_evidence_and_mutants_on_the_page(page, broken):
    for claim_id, result in broken.results.items():
        assert f'id="{claim_id}"' in page
        assert all(mutant.name in page for mutant in result.finding.mutants)
    assert "mutant &#39;true, really&#39; survives" in page


def test_mathematics_becomes_mathml():
    markup = formula_markup(r"\frac{\partial u}{\partial t} = [-1, \sqrt{x}]")
    assert "<mfrac>" in markup
    assert "<msqrt>" in markup
    assert '<mo form="prefix">−</mo>' in markup
    assert formula_markup(r"\unbalanced{").startswith("<code")


def test_statements_of_the_project_are_typeset():
    for claim in load().values():
        of_variables = [text for v in claim.variables for text in (v.name, v.domain, v.meaning)]
        for text in (claim.statement, claim.derivation, *of_variables):
            assert "<code" not in statement_markup(text), claim.id
            assert "$" not in statement_markup(text), claim.id


def test_graph_puts_what_a_claim_rests_on_to_its_left_and_nothing_overlaps(broken):
    graph = layout(broken.results)
    nodes = {node.claim_id: node for node in graph.nodes}
    assert set(nodes) == set(broken.results)
    for node in graph.nodes:
        assert 0 <= node.x <= node.x + node.width <= graph.width
        assert 0 <= node.y <= node.y + NODE_HEIGHT <= graph.height
        for dependency in node.result.claim.depends_on:
            assert nodes[dependency].x + nodes[dependency].width < node.x
        column = [other for other in graph.nodes if other is not node and other.x == node.x]
        assert all(abs(other.y - node.y) >= NODE_HEIGHT for other in column)
    assert {(edge.source, edge.target) for edge in graph.edges} == {
        (dependency, claim_id) for claim_id, r in broken.results.items() for dependency in r.claim.depends_on
    }


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    webdriver = pytest.importorskip("selenium.webdriver", reason="the browser tests need selenium")
    if not (CHROMIUM and DRIVER):
        pytest.skip("the browser tests need Chromium and chromedriver on the path")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for switch in (*SWITCHES, f"user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser, page, tmp_path):
    """A function that opens the page in a window of a given width."""

    def open_page(width=1280, fragment=""):
        path = tmp_path / "report.html"
        path.write_text(page, encoding="utf-8")
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get("about:blank")
        browser.get(path.as_uri() + fragment)
        return browser

    yield open_page
    assert browser.get_log("browser") == []


def shown(browser):
    script = "return [...document.querySelectorAll('details.claim:not([hidden])')].map(c => c.id)"
    return set(browser.execute_script(script))


def choose(browser, name, value):
    from selenium.webdriver.support.select import Select

    Select(browser.find_element("id", f"filter-{name}")).select_by_value(value)


def test_filters_by_verdict_strength_part_and_text(opened, broken):
    browser = opened()
    assert shown(browser) == set(broken.results)
    choose(browser, "verdict", "refuted")
    assert shown(browser) == {"faults.false"}
    assert browser.find_element("id", "count").text == "1 of 8 claims"
    browser.find_element("id", "search").send_keys("no such words")
    assert shown(browser) == set()
    assert browser.find_element("id", "none").is_displayed()
    browser.find_element("id", "clear").click()
    browser.find_element("id", "search").send_keys("exit code 3")
    assert shown(browser) == {"faults.dies"}
    browser.find_element("id", "clear").click()
    choose(browser, "part", "faults")
    choose(browser, "strength", "exact")
    assert shown(browser) == set(broken.results)


def test_expands_by_click_by_button_and_by_link(opened):
    browser = opened()
    claim = browser.find_element("id", "faults.false")
    evidence = claim.find_element("class name", "evidence")
    assert not evidence.is_displayed()
    claim.find_element("tag name", "summary").click()
    assert evidence.is_displayed()
    browser.find_element("id", "collapse").click()
    assert not evidence.is_displayed()
    browser.find_element("id", "expand").click()
    assert evidence.is_displayed()
    browser.find_element("id", "collapse").click()
    choose(browser, "verdict", "undecided")
    browser.execute_script("document.querySelector('.node[data-claim=\"faults.false\"]').focus()")
    browser.switch_to.active_element.send_keys("\ue007")  # Enter
    assert evidence.is_displayed(), "a node of the graph opens its claim even where filters hid it"


def test_link_from_outside_opens_its_claim(opened):
    browser = opened(fragment="#faults.survivor")
    assert browser.find_element("id", "faults.survivor").get_attribute("open")
    assert browser.switch_to.active_element.tag_name == "summary"


def test_keyboard_reaches_search_and_claims(opened):
    browser = opened()
    body = browser.find_element("tag name", "body")
    body.send_keys("\ue004")  # Tab
    assert browser.switch_to.active_element.text == "Skip to the claims"
    body.send_keys("/")
    assert browser.switch_to.active_element.get_attribute("id") == "search"
    summary = browser.find_element("css selector", "details.claim summary")
    browser.execute_script("arguments[0].focus()", summary)
    browser.switch_to.active_element.send_keys("\ue007")  # Enter
    assert summary.find_element("xpath", "..").get_attribute("open")


@pytest.mark.parametrize("width", [390, 1280])
def test_page_does_not_scroll_sideways(opened, width):
    browser = opened(width)
    browser.find_element("id", "expand").click()
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_light_and_dark(opened):
    browser = opened()
    background = "return getComputedStyle(document.body).backgroundColor"
    before = browser.execute_script(background)
    browser.find_element("id", "theme").click()
    after = browser.execute_script(background)
    assert before != after
    browser.refresh()
    assert browser.execute_script(background) == after
    browser.find_element("id", "theme").click()
    assert browser.execute_script(background) == before


def test_graph_highlights_what_a_claim_rests_on_and_what_rests_on_it(opened):
    browser = opened()
    browser.execute_script("document.querySelector('.node[data-claim=\"faults.false\"]').focus()")
    lit = [node.get_attribute("data-claim") for node in browser.find_elements("css selector", ".node.lit")]
    assert set(lit) == {"faults.false", "faults.rests-on-false", "faults.rests-on-that"}
