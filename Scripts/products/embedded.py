"""The modules as Embedded Swift: the library for C, programs in an emulator, and the modules for browsers."""

import re
from pathlib import Path

from products.graph import LIBRARY, TOOLS, Failure, needs_programs, run, with_closure
from products.package import CODEC, EMBEDDED, TEST_FLAGS, c, package, swift


def static(machine, optimization="-O", is_command=False):
    """The static library for C: one object that exports only the functions of aacorn.h.

    Or a program with the arguments of the command: Tests/C/command.c and the library.
    """
    is_foreign = machine != "x86_64"
    prefix = f"{machine}-linux-gnu-" if is_foreign else ""
    # The toolchain for x86-64 has no standard library for Linux on arm64, but one for bare metal.
    triple = "aarch64-none-none-elf" if is_foreign else "x86_64-unknown-linux-gnu"
    flavor = f"static-{machine}{'' if optimization == '-O' else '-unoptimized'}"
    made = package(
        flavor, ["AacornC"], lambda _: [
            "-target", triple, optimization, *EMBEDDED, "-Xfrontend", "-function-sections",
            "-Xfrontend", "-disable-stack-protector", "-Xcc", "-ffreestanding"],
        in_c={"flags": ["-O2", "-fPIC", "-ffunction-sections"], "compiler": prefix + "gcc"})

    def finish(folder):
        tables = LIBRARY / "embedded" / triple / "libswiftUnicodeDataTables.a"
        if not tables.exists():
            raise Failure(f"This toolchain has no Embedded Swift for {triple}.")
        objects = [path for module in with_closure([made["AacornC"]]) for path in module.objects]
        # Debian's linker rejects generic classes. All other names become local, so a program can link two
        # libraries made with Swift.
        run([TOOLS / "ld.lld", "-r", *objects, tables, "-o", folder / "aacorn.o"])
        run([prefix + "objcopy", "--strip-debug", "--remove-section=.swift_modhash",
             "--keep-global-symbols=Tests/C/symbols.txt", folder / "aacorn.o"])
        library, command = folder / "libaacorn.a", folder / "aacorn"
        library.unlink(missing_ok=True)
        run([prefix + "ar", "rcD", library, folder / "aacorn.o"])
        if not is_command:
            return library
        program = folder / f"aacorn-{machine}" if is_foreign else command
        run([prefix + "gcc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic",
             "-ISources/CAacorn/include", "-static", "-Wl,--gc-sections,--fatal-warnings", "Tests/C/command.c", library,
             "-lm", "-o", program])
        return emulated(program, machine, command) if is_foreign else command

    return [made["AacornC"]], finish, "Tests/C/symbols.txt", "Tests/C/command.c"


def emulated(program, machine, command):
    """A script that runs a program for another architecture, which is beside it."""
    emulator = f"qemu-{machine}-static"
    needs_programs(emulator)
    command.write_text(f'#!/bin/sh\nexec {emulator} "${{0%/*}}/{program.name}" "$@"\n')
    command.chmod(0o755)
    return command


def arm64_threads():
    """Two threads with the lock-free parts of the product, for Linux on arm64."""
    compiler, triple = "aarch64-linux-gnu-gcc", "aarch64-none-none-elf"
    atomics = c("arm64-threads", "CAacornAtomics", [], compiler=compiler, objects=False)
    # The name of the module that has the ring: then the others import nothing.
    shared = swift(
        "arm64-threads", "AacornSystem",
        ["Sources/AacornSystem/Threads/Atomic.swift", "Sources/AacornSystem/Threads/RingBuffer.swift",
         "Sources/AacornDevices/Playback/PlaybackAnchor.swift", "Tests/Arm64/Shared.swift"],
        [atomics], ["-target", triple, "-O", "-enable-experimental-feature", "Embedded", *TEST_FLAGS, "-Xcc",
                    "-ffreestanding", "-Xfrontend", "-disable-stack-protector"])
    threads = "Tests/Arm64/threads.c"

    def finish(folder):
        program, local = folder / "arm64-threads-aarch64", folder / "shared.o"
        # The linker for Linux cannot copy Swift's own variables of an object for bare metal.
        run(["aarch64-linux-gnu-objcopy", "--wildcard", "--localize-symbol=$es*", *shared.objects, local])
        run([compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-static", threads, local, "-o", program])
        return emulated(program, "aarch64", folder / "arm64-threads")

    return [shared], finish, threads


# Functions that the modules may call. A browser has no others, such as libm. Wide multiplication is a function
# of the compiler. Random bytes seed hashes, which the modules do not use.
PRESENT = re.compile(
    r"\$s.*|__stack_pointer|__indirect_function_table|__(memory|table)_base|posix_memalign|free|memcpy|memmove"
    r"|memset|arc4random_buf|__multi3")
EXPORTS = {
    "aacorn-inspector": "Inspector", "aacorn-decoder": "Decoder", "aacorn-sound": "Sound", "aacorn-samples": "Samples",
    "aacorn": "Encoder",
}
PUBLISHED = Path("Npm")


def wasm():
    """Five WebAssembly modules, so that a page loads only the functions that it needs."""
    def flags(name):
        # Every browser since 2021 has vectors, and since 2020 copying and filling as instructions.
        found = [
            "-target", "wasm32-unknown-none-wasm", *EMBEDDED, "-Xfrontend", "-disable-stack-protector",
            "-Xcc", "-msimd128", "-Xcc", "-mbulk-memory"]
        # These two modules process samples, so they are optimized for speed. The others are optimized for size.
        found.append("-O" if name in ("AacornCodec", "AacornSignal") else "-Osize")
        return found + (["-I", "Sources/AacornWasm/WebAssemblyMemory"] if name == "AacornWasm" else [])

    made = package("wasm", ["AacornWasm"], flags)

    def finish(folder):
        # Modules precede those that they import, which makes the result slightly smaller.
        objects = [made[name].folder / "code.o" for name in reversed(CODEC)]
        for path in objects:
            symbols = run([TOOLS / "llvm-nm", "--undefined-only", "--just-symbol-name", path])[0].split()
            foreign = [symbol for symbol in symbols if not PRESENT.fullmatch(symbol)]
            if foreign:
                raise Failure(f"{path.parent.name} calls functions that a browser does not have: {' '.join(foreign)}")
        main = made["AacornWasm"].folder / "code.o"
        for name, part in EXPORTS.items():
            output = folder / f"{name}.wasm"
            exports = [
                f"--export={function}" for file in ("Exports", f"Exports+{part}") for function in re.findall(
                    r"^@c\((aacorn_[a-z0-9_]*)\)", Path(f"Sources/AacornWasm/{file}.swift").read_text(), re.M)]
            # The stack comes first, so that an overflow traps instead of overwriting data.
            run([TOOLS / "wasm-ld", "--no-entry", "--gc-sections", "--strip-all", "--compress-relocations",
                 "--stack-first", "-z", "stack-size=262144", "--wrap=free", "--fatal-warnings", *exports,
                 "-o", output, main, *objects])
            forget_hashes(output, len(objects) + 1)
        return folder

    return [made["AacornWasm"]], finish


def forget_hashes(path, count):
    """Clears the hashes of modules, 16 bytes each at the end: they depend on code that is not linked."""
    data = bytearray(path.read_bytes())
    if data[-16 * count - 1] != 16 * count:
        raise Failure(f"{path} does not end with the hashes of its modules; see what the compiler does now.")
    data[-16 * count:] = bytes(16 * count)
    path.write_bytes(data)
