"""The report as JUnit XML, which continuous-integration services show as tests."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from proofs_check.claim import Verdict
from proofs_check.report.run import Run
from proofs_check.verdict import Result


def to_junit(run: Run) -> str:
    """One test suite for each part of the paper, one test case for each claim; undecided counts as failed."""
    suites = ElementTree.Element("testsuites", name="slr verify", time=f"{run.seconds:.3f}")
    for part, title in run.titles.items():
        results = [result for result in run.results.values() if result.part == part]
        if results:
            suites.append(_suite(title, results))
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _suite(title: str, results: list[Result]) -> ElementTree.Element:
    failures = sum(result.verdict is not Verdict.HOLDS for result in results)
    seconds = sum(result.finding.seconds for result in results)
    suite = ElementTree.Element(
        "testsuite",
        name=title,
        tests=str(len(results)),
        failures=str(failures),
        errors="0",
        time=f"{seconds:.3f}",
    )
    for result in results:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=result.part,
            name=result.claim.id,
            time=f"{result.finding.seconds:.3f}",
        )
        if result.verdict is not Verdict.HOLDS:
            failure = ElementTree.SubElement(
                case, "failure", type=str(result.verdict), message=str(result.verdict)
            )
            failure.text = "\n".join((result.claim.statement, *result.reasons))
    return suite
