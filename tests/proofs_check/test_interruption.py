"""However a run ends, its processes end with it."""

import os
import signal
import subprocess
import sys
import time

import pytest

START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "  # a background job ignores it
    "from proofs_check import ledger; from proofs_check.cli import main; "
    "ledger.CLAIMS_PACKAGE = 'tests.proofs_check.endless'; main()"
)
PATIENCE = 60.0


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_run_leaves_nothing_behind(tmp_path, number):
    marker, report = tmp_path / "worker", tmp_path / "report.json"
    run = subprocess.Popen(
        [sys.executable, "-c", START, "verify", "--json", str(report)],
        env=os.environ | {"WORKER_FILE": str(marker)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_for(lambda: marker.exists() and marker.read_text())
        if number is signal.SIGINT:  # a terminal sends it to the workers too
            os.killpg(run.pid, number)
        else:
            run.send_signal(number)
        output, errors = run.communicate(timeout=PATIENCE)
        wait_for(lambda: not runs(int(marker.read_text())))
    finally:
        run.kill()
    assert run.returncode == (130 if number is signal.SIGINT else -number)
    assert output == ""
    assert errors == ("interrupted after 0 of 1 claims\n" if number is signal.SIGINT else "")
    assert list(tmp_path.iterdir()) == [marker]
