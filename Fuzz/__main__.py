"""Feeds damaged inputs to all parsers of foreign data, with libFuzzer and the address sanitizer.

    Scripts/fuzz                    all targets, 90 seconds together
    Scripts/fuzz mp4 600            one target for ten minutes
    Scripts/fuzz all 3600           all targets, an hour together
    Scripts/fuzz --corpus           the inputs of Fuzz/Corpus, once
    Scripts/fuzz --reach            likewise; fails if a target does not execute a file that Fuzz/parsers.txt
                                    lists for it
    Scripts/fuzz --keep             adds new inputs that reach new code to Fuzz/Corpus

Fuzz/Corpus contains an archive of inputs for each target, and a folder of inputs that once crashed it. The
fuzzer writes a new crashing input to that folder; give the file a descriptive name. It writes inputs that reach
new code to .build/fuzz/found. `--keep` adds the smallest set of them with the same coverage to the archive.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.chdir(Path(__file__).resolve().parent.parent)
CORPUS, OUT = Path("Fuzz/Corpus"), Path(".build/fuzz")
LARGEST_CORPUS = 3_000_000
# The uncompressed size of a target's archive.
LARGEST_SHARE = 200_000
# Targets that read whole files or conversations need more time for each input.
WEIGHTS = {"extremes": 4, "repair": 4, "library": 3, "encoder": 3, "inspector": 2, "mp4": 2, "request": 2, "rtmp": 2}
LIMITS = ["-timeout=5", "-rss_limit_mb=1024", "-malloc_limit_mb=200", "-max_len=9000"]


def read_targets():
    """The targets, and the files of Sources that each reads."""
    targets = {}
    for line in Path("Fuzz/parsers.txt").read_text().splitlines():
        if line.startswith("["):
            files = targets.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            files.append(line)
    cases = re.findall(r"^  case (\w+)(?: = \"([\w-]+)\")?$", Path("Fuzz/FuzzTarget.swift").read_text(), re.M)
    if {raw or case for case, raw in cases} != set(targets):
        sys.exit("The targets in Fuzz/FuzzTarget.swift and the sections of Fuzz/parsers.txt differ.")
    return targets


def folders(target, *parents):
    """The target's folders that are not empty."""
    found = [parent / target for parent in parents]
    return [folder for folder in found if folder.is_dir() and any(folder.iterdir())]


def unpack(target):
    """Extracts a target's archive and returns the folder."""
    folder = OUT / "corpus" / target
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if (CORPUS / f"{target}.zip").exists():
        with zipfile.ZipFile(CORPUS / f"{target}.zip") as archive:
            archive.extractall(folder)
    return folder


def pack(target, folder):
    """Writes a target's archive with the smallest inputs; the same inputs give the same bytes."""
    left = LARGEST_SHARE
    for path in sorted(folder.iterdir(), key=lambda path: (path.stat().st_size, path.name)):
        left -= path.stat().st_size
        if left < 0:
            path.unlink()
    with zipfile.ZipFile(CORPUS / f"{target}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)


class Fuzzer:
    """The program with all targets."""

    def __init__(self):
        made = subprocess.run(["Scripts/compile", "fuzz"], stdout=subprocess.PIPE, text=True)
        self.program = made.stdout.strip() or sys.exit(made.returncode)
        tools = Path(shutil.which("swiftc")).resolve().parent
        # A backtrace hangs in a process under the sanitizer. Leak detection needs ptrace, which most
        # containers forbid.
        self.environment = os.environ | {
            "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0",
            "ASAN_SYMBOLIZER_PATH": str(tools / "llvm-symbolizer")}
        self.seeds = OUT / "seeds"
        shutil.rmtree(self.seeds, ignore_errors=True)
        self.seeds.mkdir(parents=True)
        subprocess.run(["Fuzz/make-seeds.py", self.program, self.seeds], check=True, env=self.environment)

    def run(self, target, *words):
        """Runs a target and returns its output, which is also written to a log; nothing if it crashed."""
        (CORPUS / target).mkdir(parents=True, exist_ok=True)
        process = subprocess.run(
            [self.program, *LIMITS, f"-artifact_prefix={CORPUS / target}/", *map(str, words)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=self.environment | {"AACORN_FUZZ_TARGET": target})
        text, log = process.stdout.decode(errors="replace"), OUT / f"{target}.log"
        log.write_text(text)
        if not process.returncode:
            return text
        lines = [line for line in text.splitlines() if re.search("Running:|Fatal error|ERROR|SUMMARY|written", line)]
        print(*lines[-5:], f"{target}: an input crashes; the log is {log}, and new inputs are in {CORPUS / target}.",
              sep="\n")
        return None

    def corpus(self, target):
        """The folders with all inputs of a target."""
        unpack(target)
        return folders(target, CORPUS, OUT / "corpus", self.seeds)

    def replay(self, target):
        """Runs all inputs of the corpus."""
        return self.run(target, "-runs=0", *self.corpus(target)) is not None

    def reach(self, target, files):
        """Runs all inputs, and checks that the target executes all files listed for it."""
        text = self.run(
            target, "-runs=0", "-print_coverage=1", *self.corpus(target), *folders(target, OUT / "found"))
        if text is None:
            return False
        covered = set(re.findall(r"^COVERED_FUNC.*?/Sources/([^ :]*):\d+$", text, re.M))
        missed = [path for path in files if path not in covered]
        for path in missed:
            print(f"{target}: does not execute Sources/{path}, which Fuzz/parsers.txt lists for it")
        if not missed:
            print(f"{target}: executes all {len(files)} files listed for it", flush=True)
        return not missed

    def search(self, target, seconds):
        """Searches for inputs that crash or reach new code."""
        found = OUT / "found" / target
        found.mkdir(parents=True, exist_ok=True)
        text = self.run(
            target, f"-max_total_time={seconds}", "-print_final_stats=1", found, *self.corpus(target))
        if text is not None:
            runs = re.search(r"number_of_executed_units: *(\d+)", text)
            print(f"{target}: {runs[1] if runs else 0} inputs in {seconds} s, no crash", flush=True)
        return text is not None

    def keep(self, target):
        """Adds the fewest inputs that extend the coverage of the corpus."""
        folder = unpack(target)
        before = len(list(folder.iterdir()))
        text = self.run(target, "-merge=1", "-set_cover_merge=1", folder, *folders(target, OUT / "found"))
        if text is not None:
            pack(target, folder)
            print(f"{target}: {len(list(folder.iterdir())) - before} more inputs", flush=True)
        return text is not None


def main():
    words = sys.argv[1:]
    targets = read_targets()
    mode = words.pop(0) if words[:1] in (["--corpus"], ["--reach"], ["--keep"]) else None
    chosen = list(targets) if words[:1] in ([], ["all"]) else [words[0]]
    if chosen[0] not in targets or len(words) > 2 or words[1:] and not words[1].isdigit():
        sys.exit(f"{__doc__}\nThe targets are {', '.join(targets)}.")
    seconds = int(words[1]) if len(words) == 2 else 90
    fuzzer, begun = Fuzzer(), time.monotonic()
    total = sum(WEIGHTS.get(target, 1) for target in chosen)
    share = (2 if len(chosen) > 1 else 1) * seconds / total
    work = {
        "--corpus": fuzzer.replay, "--keep": fuzzer.keep,
        "--reach": lambda target: fuzzer.reach(target, targets[target]),
        None: lambda target: fuzzer.search(target, max(1, round(share * WEIGHTS.get(target, 1))))}[mode]
    # Two at a time, one for each processor.
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(work, chosen))
    for folder in CORPUS.iterdir():
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    size = sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file())
    print(f"{CORPUS} has {size} bytes; {time.monotonic() - begun:.0f} s")
    if size > LARGEST_CORPUS:
        print(f"{CORPUS} may have {LARGEST_CORPUS} bytes. Lower LARGEST_SHARE and run --keep.")
    sys.exit(0 if all(results) and size <= LARGEST_CORPUS else 1)


main()
