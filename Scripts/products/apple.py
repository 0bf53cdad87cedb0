"""The modules for Apple's systems, against stubs of Apple's frameworks, and tests on simulated systems."""

import json
import re
import sys
from pathlib import Path

from products.graph import LIBRARY, SWIFTC, TOOLS, Failure, Module, files_in, run, with_closure
from products.package import (
    CODEC, LIBRARIES, LIBRARY_FLAGS, imports, link, package, runner, swift, swift_sources, targets)

STUBS = Path("Tests/AppleStubs")
# Each system's name for the compiler and in the manifest, and an API that is newer than its minimum version.
NEWER = "AVAudioApplication.shared"
SYSTEMS = {
    "ios": ("ios", "iOS", "AVAudioSession.CategoryOptions.bluetoothHighQualityRecording"),
    "macos": ("macos", "macOS", NEWER), "tvos": ("tvos", "tvOS", NEWER), "watchos": ("watchos", "watchOS", NEWER),
    "visionos": ("xros", "visionOS", "InlineArray<1, Int>.self"),
}
STUB_HEADERS = files_in(STUBS, suffix=".h") + files_in(STUBS, suffix=".modulemap")
FRAMEWORKS = [
    "SimulatedApple", "CoreFoundation", "Dispatch", "Overlays", "Foundation", "AVFAudio", "CoreMedia",
    "AVFoundation", "Security", "Network",
]


def stub_sources(name):
    return files_in(*(path for path in (STUBS / name, STUBS / f"{name}.swift") if path.exists()), suffix=".swift")


def least_version(system):
    return re.search(rf"\.{SYSTEMS[system][1]}\(\.v(\d+)\)", Path("Package.swift").read_text())[1] + ".0"


def has_conditions(name):
    pattern = re.compile(r"^ *#(if|elseif)\b|\bavailable\(", re.M)
    return any(pattern.search(path.read_text()) for path in swift_sources(name))


def spans(name):
    """Below system 26, Apple's standard library has no spans of arrays; the package has its own."""
    return ["-enable-experimental-feature", "Lifetimes"] if name == "AacornSignal" else []


def expect_error(flavor, system, needs, flags):
    """Compiles code that uses an API newer than the minimum system, which the compiler must refuse."""
    code = f"import AVFAudio\n\nfunc useWithoutAsking() {{ _ = {SYSTEMS[system][2]} }}\n"

    def make(module, out):
        path = out / "Newer.swift"
        path.write_text(code)
        text, status, processor = run(
            [SWIFTC, *flags, *imports(module), "-module-name", "Newer", "-typecheck", path], may_fail=True)
        if not status or not re.search("error: .*is only available in .* or newer", text):
            raise Failure(f"{text}\nThe compiler does not refuse what is newer than the least system:\n{code}")
        return processor

    return Module(flavor, "Newer", STUB_HEADERS, needs, make, [*flags, code])


def system_library(flavor, system, version):
    """The toolchain's standard library with the target of one of Apple's systems.

    Its declarations state in which of Apple's systems they were introduced. For visionOS they state the
    iOS version that each version equals, which the compiler looks up in Apple's SDK; this one contains
    only that table. Int has 64 bits, unlike on older watches; check-wasm compiles with 32.
    """
    def make(_, out):
        target = f"arm64-apple-{SYSTEMS[system][0]}{version}".ljust(len("x86_64-unknown-linux-gnu"), "0")
        for name in ("Swift", "_Concurrency", "_StringProcessing", "SwiftOnoneSupport"):
            folder = out / f"{name}.swiftmodule"
            folder.mkdir()
            data = (LIBRARY / "linux" / folder.name / "x86_64-unknown-linux-gnu.swiftmodule").read_bytes()
            (folder / f"arm64-apple-{SYSTEMS[system][0]}.swiftmodule").write_bytes(
                data.replace(b"x86_64-unknown-linux-gnu", target.encode()))
        equal = {"13.0": "1.0", "14.0": "1.0", "15.0": "1.0", "16.0": "1.0", "17.0": "1.0", "17.4": "1.1",
                 "18.0": "2.0", "26.0": "26.0"}
        (out / "SDKSettings.json").write_text(json.dumps({
            "Version": "26.0", "MaximumDeploymentTarget": "26.0.99", "VersionMap": {"iOS_visionOS": equal}}))
        # The headers whose declarations the stub of the C library contains.
        stub = (STUBS / "Darwin/Darwin.h").read_text()
        for names in re.findall(r"^// ([a-z0-9_/]+\.h(?:, [a-z0-9_/]+\.h)*),? ", stub, re.M):
            for name in names.split(", "):
                path = out / "include" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text('#include "Darwin.h"\n')

    return Module(flavor, "library", STUB_HEADERS, [], make, [version])


def apple(system):
    """The modules for one of Apple's systems, compiled against stubs of Apple's frameworks.

    They are compiled for the minimum version in the manifest, so the compiler refuses a newer API without an
    availability check. A module without conditional compilation is compiled completely for iOS only. For
    the other systems the compiler skips the bodies of its functions.
    """
    version, flavor = least_version(system), f"apple-{system}"
    target = ["-target", f"arm64-apple-{SYSTEMS[system][0]}{version}"]
    library = system_library(flavor, system, version)
    flags = [
        *target, "-Xfrontend", "-disable-objc-interop", "-nostdimport", "-Xcc", "-ffreestanding",
        "-Xcc", f"-I{STUBS}/Darwin", "-I", STUBS, "-D", "APPLE_STUBS", *LIBRARY_FLAGS]
    if system == "visionos":
        # With an SDK, the compiler would search for this map there.
        flags += ["-sdk", library.folder, "-Xcc", f"-fmodule-map-file={LIBRARY}/shims/module.modulemap"]
    options = {"objects": False, "strict": True, "inputs": STUB_HEADERS}
    before = [library]
    for name in FRAMEWORKS:
        before.insert(0, swift(flavor, name, stub_sources(name), before, flags, **options))

    def own(name):
        found = [*flags, "-Xfrontend", "-import-module", "-Xfrontend", "Overlays"]
        found += spans(name)
        if system != "ios" and not has_conditions(name):
            found += ["-Xfrontend", "-experimental-skip-non-inlinable-function-bodies"]
        return found

    # The shims of libraries that are loaded at run time are for Linux.
    skipped = [name for name in targets() if name.startswith("CAacorn") and name not in (
        "CAacorn", "CAacornAtomics")]
    names = LIBRARIES + (["AacornCommands", "AacornC", "AacornWasm"] if system in ("ios", "macos") else [])
    made = package(
        flavor, names, own, before=before, skipped=skipped, **options,
        in_c={"objects": False, "needs": before[-1:], "flags": [
            *target, "-ffreestanding", "-nostdlibinc", "-isystem", STUBS / "Darwin",
            "-idirafter", library.folder / "include", "-Wall", "-Wextra", "-Werror"]})
    modules = [*made.values(), expect_error(flavor, system, before, flags)]
    # Apps use the public interface only. The example is for phones; the guides are for phones and Macs. Both are
    # compiled in Swift 6 mode, and again with the other settings of Xcode's template for apps.
    template = ["-default-isolation", "MainActor"]
    for feature in ("InferIsolatedConformances", "NonisolatedNonsendingByDefault"):
        template += ["-enable-upcoming-feature", feature]

    def add_app(name, sources, **others):
        for suffix, own_flags in (("", []), ("OfTemplate", template)):
            modules.append(swift(
                flavor, name + suffix, sources, [made["Aacorn"], *before],
                [*flags, "-package-name", "app", *own_flags], **options | others))

    if system == "ios":
        interface = swift(flavor, "SwiftUI", files_in(STUBS / "SwiftUI.swift"), before, flags, **options)
        before = [interface, *before]
        add_app("RecorderApp", files_in("Examples/RecorderApp", suffix=".swift"))
    if system in ("ios", "macos"):
        def guides(out):
            run([sys.executable, "Tests/AppleGuides", out / "guides"])
            return files_in(out / "guides", suffix=".swift")

        texts = [*files_in("Snippets", "Tests/AppleGuides", "README.md", "Scripts/documented_code.py"),
                 *(path for path in files_in("Sources", suffix=".md"))]
        add_app("Guides", guides, inputs=STUB_HEADERS + texts)
    return modules, lambda _: f"{len(modules)} modules compile for {system} {version}"


def ios_objects():
    """Objects for iOS of the modules that compile as Embedded Swift; they are not run."""
    version = least_version("ios")
    target = f"arm64-apple-ios{version}"

    def copy_library(_, out):
        source = LIBRARY / "embedded/Swift.swiftmodule/arm64-apple-ios.swiftmodule"
        if not source.exists():
            raise Failure("This toolchain has no Embedded Swift for iOS, so no objects can be made for it.")
        (out / "Swift.swiftmodule").mkdir()
        (out / "Swift.swiftmodule" / source.name).write_bytes(re.sub(
            rb"arm64-apple-ios\d\d", target.encode()[:-2], source.read_bytes()))

    library = Module("ios-objects", "library", [], [], copy_library, [version])
    flags = [
        "-target", target, "-enable-experimental-feature", "Embedded", "-Onone", *LIBRARY_FLAGS,
        "-nostdimport", "-Xcc", "-ffreestanding", "-Xcc", f"-I{STUBS}/Darwin"]
    made = package(
        "ios-objects", CODEC, lambda name: flags + spans(name), before=[library], strict=True)

    def finish(folder):
        for module in made.values():
            for path in module.objects:
                headers = run([TOOLS / "llvm-objdump", "--macho", "--private-headers", path])[0]
                if not re.search(r"MH_MAGIC_64 +ARM64 ", headers) or not re.search(
                        rf"platform ios\n.*minos {re.escape(version)}", headers, re.S):
                    raise Failure(f"{path} is not an object for {target}.")
        return f"{len(made)} modules are objects for {target}"

    return made.values(), finish


def simulated(system):
    """The tests of the code for Apple's systems, on a simulated phone (iOS) or Mac (macOS)."""
    flags = [
        "-warnings-as-errors", "-enable-testing", "-D", "SIMULATED_APPLE", "-D", "APPLE_STUBS",
        "-Xcc", "-DSIMULATED_APPLE",
        # Swift Testing imports the real Foundation.
        "-module-alias", "Foundation=SimulatedFoundation", *LIBRARY_FLAGS]
    maps = [
        part for name in ("CoreAudioTypes", "AudioToolbox", "CoreAudio", "Simulation/Darwin")
        for part in ("-Xcc", f"-fmodule-map-file={STUBS}/{name}/module.modulemap")]

    def rewrite(file, out):
        """Writes a copy in which conditions on a system, and on its version, are conditions on the simulated system."""
        def version(condition):
            named = re.search(rf"\b{system} ([\d.]+)", condition[0])
            is_newer = named and float(named[1]) > float(least_version(system.lower()))
            return f"SimulatedSystem.has(newer: {'true' if is_newer else 'false'})"

        text = re.sub(r"#available\([^)]*\)", version, Path(file).read_text())
        copy = out / "sources" / Path(file).as_posix().replace("/", "-")
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(re.sub(
            r"(?m)^ *#(?:if|elseif) .*$",
            lambda line: re.sub(r"\bos\((\w+)\)", lambda name: "SIMULATED_" + name[1].upper(), line[0]), text))
        return copy

    in_c = {"flags": ["-O2", "-g", "-fPIC"]}
    made = package("simulated", ["AacornSystem"], lambda _: flags, in_c=in_c)

    for name, stub, *own in (
            ("SimulatedApple", "SimulatedApple"), ("CoreFoundation", "CoreFoundation"),
            ("SimulatedFoundation", "Foundation"), ("AVFAudio", "AVFAudio", "-D", "SIMULATED_IOS"),
            ("CoreMedia", "CoreMedia"), ("AVFoundation", "AVFoundation", "-D", "SIMULATED_MACOS"),
            ("Overlays", "Overlays"), ("SimulatedAudio", "Simulation")):
        made[name] = swift(
            "simulated", name, stub_sources(stub), list(dict.fromkeys(reversed(made.values()))), [*flags, *maps, *own],
            inputs=STUB_HEADERS, rewrite=rewrite)
    stubs = list(reversed(made.values()))
    common = package(
        "simulated", ["AacornInspection", "AacornApple"], lambda name: [*flags, *maps, *spans(name)],
        known=made, before=stubs, inputs=STUB_HEADERS)
    condition = ["-D", f"SIMULATED_{system.upper()}"]
    flavor = f"simulated-{system}"

    # The module SimulatedApple replaces `#available`.
    def imported_everywhere(name):
        modules = ["SimulatedApple", *(["Overlays"] if name == "AacornRecording" else [])]
        return [part for module in modules for part in ("-Xfrontend", "-import-module", "-Xfrontend", module)]

    own = package(
        flavor, ["AacornRecording"], lambda name: [*flags, *maps, *condition, *imported_everywhere(name)],
        known=common, before=stubs, inputs=STUB_HEADERS, in_c=in_c, rewrite=rewrite,
        skipped=[name for name in targets() if name.startswith("CAacorn") and name != "CAacornAtomics"])

    def sources(out):
        # The tests run the class of this article.
        run([sys.executable, "Tests/AppleGuides", "--class", "EngineTap", out / "guides"])
        return [*files_in("Tests/SimulatedAppleTests", suffix=".swift"), out / "guides/EngineTap.swift"]

    texts = files_in(
        "Tests/SimulatedAppleTests", "Tests/AppleGuides/__main__.py", "Scripts/documented_code.py",
        "Sources/Aacorn/Aacorn.docc/BuffersOfAnApp.md")
    test = swift(
        flavor, "SimulatedAppleTests", sources,
        [own["AacornRecording"], *stubs], [*flags, *maps, *condition], inputs=STUB_HEADERS + texts)
    start = runner(flavor, flags, [made["SimulatedFoundation"]])

    def finish(folder):
        link(folder / "tests", with_closure([start, test]))
        return folder / "tests"

    return [start, test], finish
