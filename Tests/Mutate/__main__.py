"""Measures how many small changes of a module, called mutants, the fast tests detect.

    Scripts/mutate [--module NAME] [--sample N] [--minutes M] [--store [REASON]]
    Scripts/mutate --module NAME --only N…

The mutated copy of the package in .build/mutate/tree contains all mutants of the module at once; the variable
AACORN_MUTANT activates one. The program in Swift beside this file writes the copy, and the mutated code reads the
switch in C inline. A baseline runs each suite alone, and records its time and the mutants that it reaches. A
mutant then runs in the suites that reach it, until the first failure, crash or timeout.

A module is judged by its own test target, or by all test targets that import it if it has no own; and by the tests in
Tests/Integration. Suites with programs by others, such as sound servers, and suites of more than {slow} processor
seconds do not run. Without --module, the module is the one whose last record is the oldest.

A hash of each mutant's code decides the order, so a small sample is part of a larger one, and a sample hardly
changes with the code. .build/mutate/results.json contains the results, .build/mutate/refused.json the lines for
which the compiler refused a mutant.

Tests/Mutate/rates.json contains for each module the percentage of killed mutants in a sample of {sample}, its 95 %
interval, and the commit. The script fails if the percentage is now 5 points or more below the stored one, and the
interval of the new sample ends below it, too. --store records the run. It stores the rate if the sample is
complete and the rate is not lower than the stored one. To store a lower rate, give a reason, which is stored, too.
"""

import argparse
import difflib
import hashlib
import importlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("AACORN_CACHE", str(ROOT / ".build/cache"))
WORK = ROOT / ".build/mutate"
TREE, PROGRAM, REFUSED = WORK / "tree", WORK / "tests", WORK / "refused.json"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TREE / "Scripts"))
RATES = ROOT / "Tests/Mutate/rates.json"
# Matches the files of suites that need programs by others.
FOREIGN = re.compile(r"\.tags\(\.smoke\)")
# The number of mutants in a complete sample, and the maximum processor seconds of a suite.
SAMPLE, SLOW = 300, 60
# The maximum total seconds of suites in one process, and the minimum timeout of a process in seconds.
BATCH, LEAST = 1.5, 10
LANES = 2


# MARK: Building

def copy_tree():
    """Copies the files of the package, including new ones, without .git and .build."""
    shutil.rmtree(TREE, ignore_errors=True)
    TREE.mkdir(parents=True)
    # A deleted file may be in the list.
    subprocess.run(
        f"git ls-files -zco --exclude-standard | tar -c --null --ignore-failed-read -T - | tar -x -C '{TREE}'",
        shell=True, check=True, cwd=ROOT, stderr=subprocess.DEVNULL)


def compile_modules():
    """The modules of Scripts/compile of the copy that know its package and its graph; patches do not last."""
    for name in [name for name in sys.modules if name.split(".")[0] == "products"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    return importlib.import_module("products.package"), importlib.import_module("products.graph")


def rewriter(graph):
    """The program that writes mutants, linked with the parser of the toolchain."""
    program, host = WORK / "rewriter", graph.LIBRARY / "host"
    sources = [ROOT / f"Tests/Mutate/{name}.swift" for name in ("Main", "Mutator", "Syntax")]
    if not program.exists() or program.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        graph.run([
            graph.SWIFTC, "-swift-version", "6", "-parse-as-library", "-I", host, "-L", host, "-lSwiftSyntax",
            "-lSwiftParser", "-lSwiftOperators", "-Xlinker", "-rpath", "-Xlinker", host, *sources, "-o", program])
    return program


def tests_of(tool, module):
    """The test targets that judge a module."""
    importing = [
        name for name, target in tool.targets().items() if target["type"] == "test" and module in tool.needs_of(name)
        # The model of atomic values compiles files of the product itself.
        and not any(path.is_symlink() for path in tool.swift_sources(name))]
    own = f"{module}Tests"
    return importing and list(dict.fromkeys([*([own] if own in importing else importing), "IntegrationTests"]))


@cache
def source(file):
    return (ROOT / file).read_bytes()


def write_mutants(tool, graph, module, refused):
    """Adds all mutants of a module to the copy, and returns them."""
    requests = []
    for path in tool.swift_sources(module):
        lines = source(path).decode().splitlines()
        skipped = [number for number, line in enumerate(lines, 1) if line.strip() in refused.get(str(path), ())]
        requests.append(" ".join(map(str, [path, *skipped])) + "\n")
    output = subprocess.run(
        [rewriter(graph)], cwd=TREE, input="".join(requests), check=True, capture_output=True, text=True).stdout
    mutants = {}
    for record in output.split("\x1e")[:-1]:
        number, operation, is_time, file, line, start, end, replacement = record.split("\0")
        text, start, end = source(file), int(start), int(end)
        # The code of the mutant's lines, which does not change when other lines do.
        first, last = text.rfind(b"\n", 0, start) + 1, text.find(b"\n", end)
        code = [file.encode(), text[first:start].strip(), text[start:end], replacement.encode(), text[end:last].strip()]
        mutants[int(number)] = {
            "number": int(number), "operator": operation, "time": is_time == "1", "place": f"{file}:{line}",
            "edit": (file, start, end, replacement), "rank": hashlib.sha256(b"\0".join(code)).hexdigest()}
    return mutants


def diff(file, start, end, replacement):
    after = source(file)[:start] + replacement.encode() + source(file)[end:]
    lines = [text.decode().splitlines(keepends=True) for text in (source(file), after)]
    return "".join(difflib.unified_diff(*lines, file, file, n=1))


def build(module):
    """Builds tests without the mutants that the compiler refuses; returns the others, and the files of the tests."""
    refused = json.loads(REFUSED.read_text()) if REFUSED.exists() else {}
    while True:
        copy_tree()
        tool, graph = compile_modules()
        mutants = write_mutants(tool, graph, module, refused)
        plain, path_of = tool.swift, tool.path_of
        tool.path_of = lambda name: Path("Tests/Mutate/CMutants") if name == "CMutants" else path_of(name)
        switch = tool.c("mutants", "CMutants", ["-O2", "-fPIC"])

        def swift(flavor, name, sources, needs, flags, **options):
            if name == module:
                stricter = ("-warnings-as-errors", "-Werror", "EmbeddedRestrictions")
                flags = ["-suppress-warnings", *(flag for flag in flags if flag not in stricter)]
                flags += ["-Xfrontend", "-import-module", "-Xfrontend", switch.name]
                needs = [*needs, switch]
            if any(need.flavor == "mutants" for need in needs):
                flavor = "mutants"
            return plain(flavor, name, sources, needs, flags, **options)

        tool.swift = swift
        tests = tests_of(tool, module)
        made = tool.tested_package([*tool.LIBRARIES, "AacornCommands", *tests])
        needed = [tool.runner("mutants", ["-O", *tool.TEST_FLAGS]), *(made[name] for name in tests)]
        # The tests in Tests/Integration run the command, which they search beside their program.
        command = tool.tested_program(made, "aacorn", graph.files_in("Sources/aacorn-cli"))
        try:
            graph.build_all([*needed, command])
            tool.link(PROGRAM, graph.with_closure(needed))
            tool.link(WORK / "aacorn", graph.with_closure([command]))
            return mutants, [path for name in tests for path in tool.swift_sources(name)]
        except SystemExit as failure:
            errors = set(re.findall(r"(Sources/[^:\n]+):(\d+):\d+: error: (.*)", str(failure)))
            before = json.dumps(refused)
            for file, number, message in errors:
                print(f"{file}:{number}: the compiler refuses the mutants: {message}", flush=True)
                line = source(file).decode().splitlines()[int(number) - 1].strip()
                refused[file] = sorted({*refused.get(file, ()), line})
            if json.dumps(refused) == before:
                raise
            REFUSED.write_text(json.dumps(refused))


# MARK: Running

def run(suites, limit, **variables):
    """Runs suites, until the first failure, and returns the outcome, the seconds and the processor seconds."""
    begun, outcome = time.monotonic(), "survived"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # Some tests become an ordinary user.
        os.chmod(folder, 0o1777)
        filters = [word for suite in suites for word in ("--filter", f"^{re.escape(suite)}/")]
        process = subprocess.Popen(
            ["prlimit", "--as=12000000000", "--core=0", PROGRAM, "--testing-library",
             "swift-testing", "--experimental-maximum-parallelization-width", "8", *filters],
            cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True,
            env=os.environ | {"NO_COLOR": "1", "SWIFT_DETERMINISTIC_HASHING": "1", "TMPDIR": folder} | variables)

        def kill():
            # Foundation starts the programs of a test in other process groups of the session.
            subprocess.run(["pkill", "-KILL", "--session", str(process.pid)])

        timer = threading.Timer(limit, kill)
        timer.start()
        for line in process.stdout:
            if line.startswith("✘"):
                outcome = "failed"
                break
        if outcome == "failed":
            kill()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if outcome == "survived" and process.returncode:
            outcome = "timed out" if time.monotonic() - begun >= limit else "crashed"
        timer.cancel()
        kill()
    return outcome, round(time.monotonic() - begun, 2), round(usage.ru_utime + usage.ru_stime, 2)


def baseline(files, count):
    """Runs each suite alone, and returns for each suite that passes its seconds and the mutants that it reaches."""
    key = hashlib.sha256(PROGRAM.read_bytes() + Path(__file__).read_bytes()).hexdigest()
    path, suites = WORK / "baseline.json", {}
    if path.exists():
        stored = json.loads(path.read_text())
        suites = stored["suites"] if stored["key"] == key else {}
    listed = subprocess.run(
        [PROGRAM, "--testing-library", "swift-testing", "--list-tests"], check=True, capture_output=True, text=True)
    foreign = set()
    for file in files:
        if FOREIGN.search(text := (ROOT / file).read_text()):
            foreign |= set(re.findall(r"^(?:@\w+.* )?(?:struct|class|enum|final class) (\w+)", text, re.M))
    names = {line.split("/")[0] for line in listed.stdout.splitlines() if re.match(r"\w+Tests\.\w+/", line)}

    def measure(name):
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(count + 1)
            # Some tests become an ordinary user.
            os.chmod(file.name, 0o666)
            outcome, seconds, processor = run([name], 5 * SLOW, AACORN_MUTANTS_REACHED=file.name)
            reached = [number for number, byte in enumerate(Path(file.name).read_bytes()) if byte]
        suites[name] = {"seconds": seconds, "processor": processor, "outcome": outcome, "reached": reached}
        if not runs_with_mutants(suites[name]):
            print(f"{name} does not run with mutants: {outcome} after {seconds} s, {processor} s of the processor",
                  flush=True)

    with ThreadPoolExecutor(LANES) as pool:
        list(pool.map(measure, sorted(name for name in names - suites.keys() if name.split(".")[1] not in foreign)))
    path.write_text(json.dumps({"key": key, "suites": suites}))
    return suites


def runs_with_mutants(suite):
    """Whether a suite passes and is quick; other programs do not change the seconds of the processor."""
    return suite["outcome"] == "survived" and suite["processor"] <= SLOW


def examine(mutant, suites, end):
    """Runs a mutant before the deadline, the quick suites first, a few in each process."""
    if time.monotonic() > end:
        return
    reaching = sorted(
        (suite["seconds"], name) for name, suite in suites.items()
        if runs_with_mutants(suite) and mutant["number"] in suite["reached"])
    mutant |= {"outcome": "survived" if reaching else "not covered", "suites": len(reaching), "seconds": 0}
    while reaching and mutant["outcome"] == "survived":
        batch = [reaching.pop(0)]
        while reaching and sum(seconds for seconds, _ in batch) + reaching[0][0] < BATCH:
            batch.append(reaching.pop(0))
        limit = LEAST + 5 * sum(seconds for seconds, _ in batch)
        mutant["outcome"], seconds, _ = run([name for _, name in batch], limit, AACORN_MUTANT=str(mutant["number"]))
        mutant["seconds"] = round(mutant["seconds"] + seconds, 2)
    print(f"{mutant['number']:6} {mutant['outcome']:12} {mutant['operator']:10} {mutant['place']}", flush=True)


def count(mutants):
    """The numbers of outcomes of mutants, and the percentage of killed ones with its 95 % interval by Wilson."""
    outcomes = [mutant["outcome"] for mutant in mutants]
    total, missed, survived = len(outcomes), outcomes.count("not covered"), outcomes.count("survived")
    killed = total - missed - survived
    middle = (killed + 1.96 ** 2 / 2) / (total + 1.96 ** 2)
    half = 1.96 * math.sqrt(killed * (total - killed) / total + 1.96 ** 2 / 4) / (total + 1.96 ** 2)
    return {"mutants": total, "killed": killed, "survived": survived, "not covered": missed,
            "percent": round(100 * killed / total, 1),
            "interval": [round(100 * (middle - half), 1), round(100 * (middle + half), 1)]}


def report(module, mutants):
    """Prints the survivors and the rates, and returns the rates."""
    groups = {module: mutants}
    for mutant in mutants:
        for name in (mutant["operator"], *(["constant of time"] if mutant["time"] else [])):
            groups.setdefault(name, []).append(mutant)
    for mutant in sorted(mutants, key=lambda mutant: (not mutant["time"], mutant["number"])):
        if mutant["outcome"] in ("survived", "not covered"):
            print(f"\n{mutant['number']} {mutant['outcome']}: {mutant['operator']}\n{mutant['diff']}", end="")
    table = {name: count(groups[name]) for name in sorted(groups)}
    print("\nkilled survived not covered")
    for name, row in table.items():
        print(f"{row['killed']:6} {row['survived']:8} {row['not covered']:11} {row['percent']:6} % "
              f" {row['interval'][0]}–{row['interval'][1]} %  {name}")
    return table


def compare(module, row, is_complete, reason):
    """Compares a rate with the stored one, records it unless the reason is None, and describes a fall."""
    rates = json.loads(RATES.read_text())
    stored = rates.setdefault(module, {})
    before = stored.get("percent", 0)
    if not reason and row["percent"] <= before - 5 and row["interval"][1] < before:
        return f"The tests of {module} kill {row['percent']} % of {row['mutants']} mutants; before, {before} %."
    if reason is None:
        return None
    if is_complete and (reason or row["percent"] >= before):
        commit = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--exclude=*"], cwd=ROOT, capture_output=True, text=True).stdout
        stored.clear()
        stored |= {key: row[key] for key in ("percent", "interval", "mutants")} | {"commit": commit.strip()}
        stored |= {"reason": reason} if reason else {}
    else:
        print("The rate is not stored: " + ("it is lower." if is_complete else "the sample is not complete."))
    stored["examined"] = date.today().isoformat()
    RATES.write_text(json.dumps(rates, indent=2, ensure_ascii=False, sort_keys=True) + "\n")
    print("Commit Tests/Mutate/rates.json.")
    return None


def main():
    parser = argparse.ArgumentParser(
        prog="Scripts/mutate", description=__doc__.format(slow=SLOW, sample=SAMPLE),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", metavar="NAME", help="the module to mutate, such as AacornPlayback")
    parser.add_argument("--sample", type=int, default=SAMPLE, metavar="N", help=f"run N mutants (default {SAMPLE})")
    parser.add_argument("--minutes", type=float, default=math.inf, metavar="M", help="start no mutant after M minutes")
    parser.add_argument("--store", nargs="?", const="", metavar="REASON", help="record the run in rates.json")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="the numbers of mutants to run")
    arguments = parser.parse_args()
    times = [time.monotonic()]
    copy_tree()
    tool, _ = compile_modules()
    modules = [name for name in tool.targets()
               if not tool.is_test(name) and tool.swift_sources(name) and tests_of(tool, name)]
    rates = json.loads(RATES.read_text())
    dates = {name: rates.get(name, {}).get("examined", "") for name in modules}
    oldest = [name for name in modules if dates[name] == min(dates.values())]
    # A clone that does not commit the record examines another module every day.
    module = arguments.module or oldest[date.today().toordinal() % len(oldest)]
    if module not in modules:
        sys.exit(f"No tests import {module}. Choose one of {', '.join(modules)}.")
    stored = f"{rates[module]['percent']} %" if "percent" in rates.get(module, {}) else "none, so no rate is a fall"
    print(f"The module is {module}; its stored rate: {stored}.", flush=True)
    found, files = build(module)
    times.append(time.monotonic())
    suites = baseline(files, len(found))
    times.append(time.monotonic())
    if unknown := set(arguments.only or ()) - set(found):
        sys.exit(f"There is no mutant {', '.join(map(str, sorted(unknown)))} in {module}.")
    ranked = sorted(found, key=lambda number: (found[number]["rank"], number))
    mutants = [found[number] for number in arguments.only or ranked[:arguments.sample]]
    for mutant in mutants:
        mutant["diff"] = diff(*mutant.pop("edit"))
    end = times[0] + 60 * arguments.minutes
    with ThreadPoolExecutor(LANES) as pool:
        list(pool.map(lambda mutant: examine(mutant, suites, end), mutants))
    times.append(time.monotonic())
    seconds = [round(end - start) for start, end in zip(times, times[1:])]
    mutants = [mutant for mutant in mutants if "outcome" in mutant]
    print(f"{len(found)} mutants, {len(mutants)} of them examined; {seconds[0]} s for the build, {seconds[1]} s for the"
          f" baseline, {seconds[2]} s for the mutants")
    if not mutants:
        sys.exit("No time remained for a mutant. Give more --minutes.")
    table = report(module, mutants)
    (WORK / "results.json").write_text(json.dumps({
        "module": module, "total": len(found), "seconds": seconds, "rates": table, "mutants": mutants,
        "suites": {name: {**suite, "reached": len(suite["reached"])} for name, suite in suites.items()},
    }, indent=1))
    if not arguments.only:
        is_complete = len(mutants) >= min(SAMPLE, len(found))
        sys.exit(compare(module, table[module], is_complete, arguments.store) or 0)


if __name__ == "__main__":
    main()
