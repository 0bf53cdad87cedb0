"""The tests and benchmarks on this machine."""

import re
import shutil

from products.graph import TOOLS, files_in, run, with_closure
from products.package import (
    FEATURES, LIBRARIES, LIBRARY_FLAGS, TEST_FLAGS, link, runner, swift, swift_sources, targets, tested_package,
    tested_program)


def debugged_devices(made):
    """The code of audio threads compiled file by file, as debug builds do: they refuse more calls from it."""
    flags = ["-Onone", "-warnings-as-errors", *(flag for flag in LIBRARY_FLAGS if flag != "-wmo")]
    return swift("debug", "AacornDevices", swift_sources("AacornDevices"), made["AacornDevices"].needs, flags)


def part(name):
    """The tests of some targets, joined by `+`, as a program; or the command."""
    tested = [target for target in name.split("+") if target != "aacorn"]
    # The tests of the command start it.
    has_command = not tested or "IntegrationTests" in tested
    made = tested_package([*tested, *LIBRARIES, "AacornCommands"] if has_command else tested)
    programs = {name: [runner("tests", TEST_FLAGS), *(made[target] for target in tested)]} if tested else {}
    if has_command:
        programs["aacorn"] = [tested_program(made, "aacorn", files_in("Sources/aacorn-cli"))]

    def finish(folder):
        for program, modules in programs.items():
            link(folder / program, with_closure(modules))
        return folder / name

    return [module for modules in programs.values() for module in modules], finish


def part_for(flags):
    """The part with the tests that flags of Swift Testing select; `tests` if that is unknown, or most of it."""
    found, tests = set(), {name: tests_of(name) for name in targets() if targets()[name]["type"] == "test"}
    for group in " ".join(["", *flags, ""]).split(" -- "):
        if "--filter" not in group:
            return "tests"
    for value in [value for flag, value in zip(flags, flags[1:]) if flag == "--filter"]:
        try:
            selected = [name for name in tests if re.search(value, tests[name], re.M)]
        except re.error:
            # Swift has expressions that Python does not have.
            selected = []
        found.update(selected or tests)
    return "tests" if not found or len(found) > 5 else "+".join(name for name in tests if name in found)


def tests_of(name):
    """The identifiers of a target's suites and tests without parameters, and others, one a line."""
    found = []
    for text in [path.read_text() for path in swift_sources(name)]:
        functions = re.findall(r"\bfunc (\w+)\(", text)
        for suite in re.findall(r"\b(?:struct|class|actor|enum|extension) (\w+)", text):
            found += [f"{name}.{suite}", *(f"{name}.{suite}/{function}()/" for function in functions)]
    return "\n".join(found)


def tests():
    """All tests as one program, the command, and the snippets; symbol graphs for the documentation."""
    made = tested_package([name for name, target in targets().items() if target["type"] != "executable"])
    test_modules = [made[name] for name in targets() if targets()[name]["type"] == "test"]
    programs = {"aacorn": tested_program(made, "aacorn", files_in("Sources/aacorn-cli"))}
    for path in files_in("Snippets"):
        programs[path.stem] = tested_program(made, path.stem, [path])
    programs["everything"] = tested_program(
        made, "everything", files_in("Tests/Clients/Sources/everything"), ["-swift-version", "6"])
    start = runner("tests", TEST_FLAGS)

    def finish(folder):
        link(folder / "tests", with_closure([start, *test_modules]))
        for name, module in programs.items():
            link(folder / name, with_closure([module]))
        graphs = folder / "graphs"
        graphs.mkdir(exist_ok=True)
        for name in LIBRARIES:
            for graph in made[name].folder.glob("*.symbols.json"):
                shutil.copy(graph, graphs)
        return folder

    checked = [made["AacornC"], made["AacornWasm"], debugged_devices(made)]
    return [start, *test_modules, *checked, *programs.values()], finish


def bench():
    """The benchmarks of the encoder, whose own package builds them against the release."""
    folder = "Benchmarks/Sources/AllocationCounter"
    made = tested_package(LIBRARIES)
    module = swift(
        "tests", "program-bench", files_in("Benchmarks/Sources/bench", suffix=".swift"),
        [made[name] for name in LIBRARIES],
        ["-O", "-warnings-as-errors", "-wmo", *FEATURES,
         "-Xcc", f"-fmodule-map-file={folder}/include/module.modulemap"],
        inputs=files_in(folder))

    def finish(made_in):
        counter = made_in / "AllocationCounter.o"
        run([TOOLS / "clang", "-O2", "-I", f"{folder}/include", "-c", f"{folder}/AllocationCounter.c", "-o", counter])
        link(made_in / "bench", with_closure([module]), others=[counter])
        return made_in / "bench"

    return [module], finish
