"""The graph of modules, the cache that stores them, and the programs that compile them."""

import fcntl
import hashlib
import inspect
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = Path(os.environ.get("AACORN_CACHE") or ROOT / ".build/cache").absolute()
os.chdir(ROOT)
JOBS = os.cpu_count() or 1
# Seconds after which an unused module is removed from the cache.
OLDEST = 3 * 24 * 3600
SWIFTC = shutil.which("swiftc") or sys.exit("swiftc is missing. Install Swift 6.3 or later.")
TOOLS = Path(SWIFTC).resolve().parent
LIBRARY = TOOLS.parent / "lib/swift"


class Failure(Exception):
    """A compilation that failed, with the output of the compiler."""


@cache
def toolchain():
    return subprocess.run([SWIFTC, "--version"], capture_output=True, text=True, check=True).stdout


def record(flavor, name, wall, processor):
    if os.environ.get("AACORN_TIMES"):
        line = {"flavor": flavor, "module": name, "wall": round(wall, 2), "cpu": round(processor, 2)}
        with open(os.environ["AACORN_TIMES"], "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def run(command, *, may_fail=False, **options):
    """Runs a command; returns its output, its exit status and its processor seconds."""
    command = [str(part) for part in command]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    if process.returncode and not may_fail:
        shown = " ".join(command)
        raise Failure(f"{text}\nThis failed: {shown[:400]}{'…' if len(shown) > 400 else ''}")
    return text, process.returncode, usage.ru_utime + usage.ru_stime


class Locked:
    """Holds a lock file, the first free one of several, while a block runs."""

    def __init__(self, *names):
        self.paths = [CACHE / "locks" / name.replace("/", "-") for name in names]

    def __enter__(self):
        self.paths[0].parent.mkdir(parents=True, exist_ok=True)
        files = [open(path, "w", encoding="utf-8") for path in self.paths]
        while True:
            for file in files:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    self.file = file
                    return
                except BlockingIOError:
                    pass
            time.sleep(0.05)

    def __exit__(self, *_):
        self.file.close()


def slot():
    return Locked(*(f"slot-{index}" for index in range(JOBS)))


def needs_programs(*programs):
    packages = {"aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu", "qemu-aarch64-static": "qemu-user-static"}
    for program in programs:
        if not shutil.which(program):
            package = packages.get(program, program)
            raise Failure(f"{program} is missing. Scripts/setup --gate installs the package {package}.")


# MARK: Modules

class Module:
    """A module of a flavor: its inputs, and the function that makes it."""

    def __init__(self, flavor, name, inputs, needs, make, flags=()):
        self.flavor, self.name, self.make, self.flags = flavor, name, make, list(flags)
        self.inputs, self.needs = sorted(map(Path, inputs)), list(needs)

    @property
    def title(self):
        return f"{self.flavor}/{self.name}"

    @cached_property
    def key(self):
        """A name for the compiled module; its imports must have been compiled."""
        made_by = inspect.getsource(Module.build) + inspect.getsource(self.make)
        facts = [toolchain(), self.title, made_by, *map(str, self.flags)]
        return digest_of(self.inputs, facts + [need.interface for need in self.closure])[:16]

    @cached_property
    def interface(self):
        """A hash of the compiled interface; the module must have been compiled."""
        return (self.folder / "interface").read_text()

    @property
    def folder(self):
        return CACHE / self.flavor / f"{self.name}-{self.key}"

    @cached_property
    def closure(self):
        """The modules that this one imports, directly or indirectly, nearest first."""
        return list(dict.fromkeys([*self.needs, *(module for need in self.needs for module in need.closure)]))

    @property
    def objects(self):
        return sorted(self.folder.glob("*.o"))

    @property
    def weight(self):
        return sum(path.stat().st_size for path in self.inputs)

    def build(self):
        with Locked(self.title):
            if self.folder.exists():
                return
            new = CACHE / "new" / f"{self.flavor}-{self.name}-{os.getpid()}"
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir(parents=True)
            with slot():
                begun = time.monotonic()
                processor = self.make(self, new) or 0
                seen = list(new.glob("*.swiftmodule")) or files_in(new / "include", new / "module.modulemap")
                known = all(path.exists() for path in seen)
                (new / "interface").write_text(digest_of_contents(seen) if known else self.key)
                wall = time.monotonic() - begun
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            new.rename(self.folder)
            record(self.flavor, self.name, wall, processor)
            print(f"compiled {self.title} in {wall:.0f} s", file=sys.stderr, flush=True)
            for old in self.folder.parent.glob(f"{self.name}-{'[0-9a-f]' * 16}"):
                if time.time() - old.stat().st_mtime > OLDEST:
                    shutil.rmtree(old, ignore_errors=True)


def is_cached(module):
    """Whether the cache has a module, which then counts as used."""
    try:
        os.utime(module.folder)
        return True
    except FileNotFoundError:
        return False


def build_all(modules):
    """Builds modules and their imports; of the modules that can be built, first the one that blocks the most."""
    waiting = set(with_closure(modules))
    urgency = {module: module.weight for module in waiting}
    for module in sorted(waiting, key=lambda module: -len(module.closure)):
        for need in module.closure:
            if need in urgency:
                urgency[need] = max(urgency[need], need.weight + urgency[module])
    building, failures = {}, []
    with ThreadPoolExecutor(JOBS) as pool:
        while building or waiting and not failures:
            blocked = waiting | set(building.values())
            ready = [module for module in waiting if not failures and not blocked & set(module.closure)]
            ready.sort(key=lambda module: (-urgency[module], module.title))
            cached = [module for module in ready if is_cached(module)]
            waiting.difference_update(cached)
            if cached:
                continue
            for module in ready[:JOBS - len(building)]:
                waiting.discard(module)
                building[pool.submit(module.build)] = module
            for future in wait(building, return_when=FIRST_COMPLETED).done:
                module = building.pop(future)
                if future.exception():
                    failures.append(f"{future.exception()}\n{module.title} could not be compiled.")
    if failures:
        sys.exit("\n".join(failures))


def with_closure(modules):
    return list(dict.fromkeys(part for module in modules for part in [module, *module.closure]))


def digest_of(paths, facts):
    """A hash of files and of other facts."""
    digest = hashlib.sha256(repr(facts).encode())
    for path in paths:
        digest.update(f"{path}\0".encode() + Path(path).read_bytes() + b"\0")
    return digest.hexdigest()


def digest_of_contents(paths):
    """A hash of files, and of the files in folders, wherever they are."""
    return digest_of([], [(path.name, path.read_bytes()) for path in files_in(*sorted(paths))])


def files_in(*paths, suffix=""):
    """All files in folders, and files, in the same order on every system."""
    found = []
    for path in map(Path, paths):
        found += [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    return sorted((file for file in found if file.name.endswith(suffix)), key=str)
