"""Checks that the gate's selection runs every slot, with and without a record that is written back.

The workflow must run each other slot as a separate job, and .ci/slots must be a record that Scripts/run-checks wrote.
"""

import subprocess
import sys
from datetime import datetime, timedelta, timezone
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

sys.dont_write_bytecode = True
LOADER = SourceFileLoader("run_checks", str(Path(__file__).resolve().parents[2] / "Scripts/run-checks"))
run_checks = module_from_spec(spec_from_loader("run_checks", LOADER))
sys.modules["run_checks"] = run_checks
# It changes to the folder of the repository.
LOADER.exec_module(run_checks)
SLOTS = [name for name, slot in run_checks.SLOTS.items() if slot.in_gate]
START = datetime(2026, 1, 1, 2, tzinfo=timezone.utc)
OLD = {name: ("", START - timedelta(days=index)) for index, name in enumerate(SLOTS)}


def selected(changed, hours, is_written):
    """The slots of 400 gates at an interval; all changes concern the files of the same slots."""
    record, now, found = OLD, START, set()
    for _ in range(400):
        now += timedelta(hours=hours)
        name = run_checks.next_slot(record, changed, now)
        found.add(name)
        if is_written:
            record = record | {name: ("", now)}
    return found


def faults():
    for changed in SLOTS, SLOTS[2:5]:
        for hours in 1, 4, 6, 8, 20, 24, 40, 48:
            for is_written in False, True:
                if selected(changed, hours, is_written) != set(changed):
                    yield f"Scripts/run-checks does not select {', '.join(changed)} with a gate every {hours} hours."
    if run_checks.next_slot({}, [], START) not in SLOTS:
        yield "Scripts/run-checks selects no slot without a record."
    if run_checks.next_slot(OLD, SLOTS, START) != SLOTS[-1]:
        yield "Scripts/run-checks does not select the slot with the oldest record."
    for line in Path(".ci/slots").read_text().splitlines():
        name, commit, passed = [*line.split(), "", "", ""][:3]
        contains = subprocess.run(["git", "merge-base", "--is-ancestor", commit, "HEAD"], capture_output=True)
        is_known = name in run_checks.SLOTS and contains.returncode == 0
        if not is_known or datetime.fromisoformat(passed) > datetime.now(timezone.utc):
            yield f".ci/slots has a line that no run wrote: {line}"
    jobs = Path(".github/workflows/check.yml").read_text()
    for name in run_checks.SLOTS:
        if name not in SLOTS and f"--slot {name}\n" not in jobs:
            yield f"Neither the gate nor .github/workflows/check.yml runs the slot {name}."


sys.exit("\n".join(faults()) or 0)
