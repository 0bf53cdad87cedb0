"""The modules of Package.swift, the flags of their compilers, and the linker."""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from products.graph import (
    CACHE, ROOT, SWIFTC, TOOLS, Failure, Module, digest_of, files_in, needs_programs, run, toolchain)


def imports(module):
    """The options with which a compiler finds what a module imports."""
    return [part for need in module.closure for part in ("-I", need.folder)]


def swift(flavor, name, sources, needs, flags, *, objects=True, inputs=(), rewrite=None, strict=False):
    """A module in Swift; `{out}` in the flags is the folder that it is made in."""
    def make(module, out):
        files = sources(out) if callable(sources) else sources
        if rewrite:
            files = [rewrite(file, out) for file in files]
        options = [str(flag).replace("{out}", str(out)) for flag in flags]
        if objects and ("-num-threads" in options or "-wmo" not in options):
            names = {str(file): {"object": f"{out}/{index}.o"} for index, file in enumerate(files)}
            (out / "objects.json").write_text(json.dumps(names))
            options += ["-c", "-output-file-map", out / "objects.json"]
        elif objects:
            options += ["-c", "-o", out / "code.o"]
        if "-parse-as-library" in options and not name.endswith("Tests"):
            options += ["-emit-module", "-emit-module-path", out / f"{name}.swiftmodule"]
        text, _, processor = run([
            SWIFTC, *options, "-module-name", name.replace("-", "_"), "-module-cache-path", CACHE / "clang" / flavor,
            *imports(module), *files])
        if strict and re.search(r"^[^ |\n]+: (error|warning): ", text, re.M):
            raise Failure(text)
        return processor

    found = inputs if callable(sources) else [*sources, *inputs]
    made_by = [inspect.getsource(part) for part in (sources, rewrite) if callable(part)]
    return Module(flavor, name, found, needs, make, [*flags, objects, strict, *made_by])


def c(flavor, name, flags, *, compiler=TOOLS / "clang", objects=True, needs=(), inputs=()):
    """A module in C: its objects, and a map with which Swift imports it."""
    folder = path_of(name)

    def make(_, out):
        needs_programs(compiler)
        shutil.copytree(folder / "include", out / "include")
        headers = " ".join(f'header "include/{file.name}"' for file in sorted((out / "include").glob("*.h")))
        (out / "module.modulemap").write_text(f"module {name} {{ {headers} export * }}\n")
        processor = 0
        for source in sorted(folder.glob("*.c")):
            output = ["-c", "-o", out / f"{name}-{source.stem}.o"] if objects else ["-fsyntax-only"]
            processor += run([compiler, *flags, "-I", folder / "include", "-I", folder, *output, source])[2]
        return processor

    # The page embeds files of the npm package.
    embedded = [
        folder / path for source in folder.glob("*.c") for path in re.findall(r'#embed "(.+)"', source.read_text())]
    return Module(
        flavor, name, [*files_in(folder), *embedded, *inputs], needs, make, [*flags, compiler, objects])


@cache
def manifest():
    """Package.swift as the package manager reads it."""
    path = CACHE / f"package-{digest_of(['Package.swift'], [toolchain()])[:16]}.json"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        dumped = subprocess.run(
            ["swift", "package", "--scratch-path", CACHE / "manifest", "dump-package"],
            stdout=subprocess.PIPE, text=True)
        if dumped.returncode:
            sys.exit("The package manager cannot read Package.swift.")
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(dumped.stdout)
        new.rename(path)
    return json.loads(path.read_text())


@cache
def targets():
    """The targets of Package.swift, by name."""
    return {target["name"]: target for target in manifest()["targets"]}


def modules_of(product):
    """The names of the modules that a product contains, in the order of Package.swift."""
    found = list(next(made["targets"] for made in manifest()["products"] if made["name"] == product))
    for name in found:
        found += [need for need in needs_of(name) if need not in found]
    return [name for name in targets() if name in found]


def path_of(name):
    target = targets()[name]
    return Path(target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}")


def needs_of(name):
    return [next(iter(need.values()))[0] for need in targets()[name]["dependencies"]]


def is_c(name):
    return any(path_of(name).glob("*.c"))


def swift_sources(name):
    excluded = [path_of(name) / path for path in targets()[name]["exclude"]]
    return [
        path for path in files_in(path_of(name), suffix=".swift")
        if not any(path == other or other in path.parents for other in excluded)]


def is_unoptimized(name):
    return any(
        "-Onone" in setting["kind"].get("unsafeFlags", {}).get("_0", [])
        for setting in targets()[name]["settings"])


def is_test(name):
    return path_of(name).parts[0] == "Tests"


FEATURES = ["-swift-version", "6"]
for feature in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"):
    FEATURES += ["-enable-upcoming-feature", feature]
TEST_FLAGS = ["-wmo", "-parse-as-library", "-package-name", "aacorn", *FEATURES]
LIBRARY_FLAGS = ["-strict-memory-safety", *TEST_FLAGS]
# The modules that also compile as Embedded Swift, and the documented modules; both in the order of imports.
CODEC = modules_of("AacornCodec")
LIBRARIES = [name for name in modules_of("Aacorn") if not is_c(name)]
TESTED = ["-enable-testing", "-Xfrontend", "-enable-cross-import-overlays"]
PROGRAM = ["-wmo", "-strict-memory-safety", "-package-name", "aacorn", *FEATURES]
EMBEDDED = ["-enable-experimental-feature", "Embedded", "-warnings-as-errors", *LIBRARY_FLAGS]


def package(flavor, names, flags, *, before=(), known=(), skipped=(), in_c={}, **options):
    """Modules of the package and their imports, by name.

    `flags` returns the flags of a module. All modules import the modules in `before`. `known` contains modules
    that exist already, `skipped` the names of modules that are not imported, `in_c` the options for C.
    """
    made = dict(known)

    def add(name):
        if name not in made and is_c(name):
            made[name] = c(flavor, name, **in_c)
        elif name not in made:
            needs = [add(need) for need in needs_of(name) if need not in skipped]
            sources = swift_sources(name)
            check_imports(name, sources)
            if targets()[name].get("resources"):
                sources.append(bundle(name))
            if is_test(name):
                # Tests find files relative to `#filePath`, so the paths of their sources are absolute.
                sources = [ROOT / path for path in sources]
            headers = files_in(path_of(name), suffix=".h")
            made[name] = swift(
                flavor, name, sources, [*needs, *before], flags(name),
                **options | {"inputs": [*options.get("inputs", ()), *headers]})
        return made[name]

    for name in names:
        add(name)
    return made


@cache
def imported(path):
    return set(re.findall(r"^(?:@?\w+ )*import (\w+)", path.read_text(), re.M))


def check_imports(name, sources):
    """Refuses imports that Package.swift does not declare: the compiler would find the modules anyway."""
    for path in sources:
        undeclared = (imported(path) & targets().keys()) - set(needs_of(name))
        if undeclared:
            raise Failure(f"{path} imports {', '.join(undeclared)}, which Package.swift does not declare for {name}.")


def bundle(name):
    """A source file with the path of a test target's resources, like the one that the package manager makes."""
    path = ROOT / ".build/bundles" / f"{name}.swift"
    text = (
        "import Foundation\n\nextension Foundation.Bundle {\n"
        f'  static let module = Bundle(path: "{ROOT / path_of(name)}")!\n}}\n')
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return path


def link(output, modules, flags=(), *, others=()):
    """Links objects of modules to a program."""
    objects = dict.fromkeys(path for module in modules for path in module.objects)
    output.parent.mkdir(parents=True, exist_ok=True)
    new = output.with_name(output.name + ".new")
    listed = new.with_suffix(".objects")
    listed.write_text("".join(f"{path}\n" for path in objects))
    run([SWIFTC, *flags, f"@{listed}", *others, "-ldl", "-lm", "-o", new])
    listed.unlink()
    new.rename(output)


def runner(flavor, flags, needs=()):
    """The entry point of a program that runs tests."""
    return swift(flavor, "Runner", ["Tests/Runner.swift"], needs, flags)


def tested_package(names):
    """Modules and tests for this machine, optimized, and their imports. Warnings are errors."""
    def flags(name):
        found = ["-Onone" if is_unoptimized(name) else "-O", "-warnings-as-errors", *TESTED]
        if is_test(name):
            return found + TEST_FLAGS
        found += ["-num-threads", "2", *LIBRARY_FLAGS]
        if name in CODEC or name == "AacornWasm":
            found += ["-Werror", "EmbeddedRestrictions"]
        if name in LIBRARIES:
            found += [
                "-emit-symbol-graph", "-emit-symbol-graph-dir", "{out}", "-symbol-graph-skip-synthesized-members"]
        return found

    return package("tests", names, flags, in_c={"flags": ["-O2", "-fPIC"]})


def tested_program(made, name, sources, flags=PROGRAM):
    # The interfaces for C and for browsers have functions of the same names, so no program links both.
    libraries = [made[name] for name in [*LIBRARIES, "AacornCommands"]]
    return swift("tests", f"program-{name}", sources, libraries, ["-O", "-warnings-as-errors", *flags])
