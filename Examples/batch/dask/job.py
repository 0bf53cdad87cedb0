"""Encodes many sounds with Dask.

    python job.py bytes SOUNDS TABLE [--bitrate 96000] [--files-per-part 100]
        Encodes the WAV files in the folder SOUNDS to a Parquet table: path, aac, error.

    python job.py files MANIFEST PARTS [OPTION of aacorn batch]...
        Encodes the files in the manifest.

All workers need the same file system. Exits with 0 or 1 like aacorn batch: 1 means that the ledger
lists failed files. Exits with 70 if the job itself failed; run it again.
"""

import argparse
import hashlib
import io
import os
import subprocess
import sys
import traceback
import uuid
import wave
from pathlib import Path

try:
    import pyarrow
    import pyarrow.parquet
    from dask.distributed import Client, as_completed
except ImportError as error:
    print(f"A Python package is missing: {error}.", file=sys.stderr)
    sys.exit(70)

COLUMNS = pyarrow.schema([("path", pyarrow.string()), ("aac", pyarrow.binary()), ("error", pyarrow.string())])


def encode_sound(data, bitrate):
    """Returns the bytes of an M4A file and None, or None and the error of the WAV file."""
    try:
        import aacorn  # Only the workers need the package.

        with wave.open(io.BytesIO(data)) as sound:
            form, samples = sound.getparams(), sound.readframes(sound.getnframes())
        if form.sampwidth != 2:
            raise ValueError(f"The samples have {8 * form.sampwidth} bits, not 16.")
        if len(samples) < 2 * form.nchannels * form.nframes:
            raise ValueError("The file is shorter than its header states.")
        settings = {"channels": form.nchannels, "bitrate": bitrate}
        return aacorn.encode(samples, form.framerate, **settings), None
    except ImportError:
        raise
    except Exception as error:  # Any error fails only this row.
        return None, f"{type(error).__name__}: {error}"


def make_part_of_table(paths, target, bitrate):
    """Writes the rows of some files, all of them or none, and returns the number of files."""
    rows = [encode_sound(Path(path).read_bytes(), bitrate) for path in paths]
    columns = [paths, [row[0] for row in rows], [row[1] for row in rows]]
    # Readers of the table ignore files whose name begins with a dot.
    partial = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        table = pyarrow.table(columns, schema=COLUMNS)
        pyarrow.parquet.write_table(table, partial, compression="none")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return len(paths)


def name_of_part(paths, bitrate):
    """Returns a name that depends on the files and the settings."""
    files = [(path, (status := os.stat(path)).st_size, status.st_mtime_ns) for path in paths]
    return hashlib.sha256(repr((files, bitrate)).encode()).hexdigest()[:32]


def make_table(client, sounds, table, bitrate, size):
    table.mkdir(parents=True, exist_ok=True)
    paths = sorted(str(path) for path in sounds.rglob("*.wav"))
    groups = [paths[start : start + size] for start in range(0, len(paths), size)]
    # The names identify the inputs and settings, so an existing part is complete.
    names = [name_of_part(group, bitrate) for group in groups]
    todo = [(group, table / f"part-{name}.parquet") for group, name in zip(groups, names)]
    whole = {target for _, target in todo}
    todo = [part for part in todo if not part[1].exists()]
    made = 0
    if todo:
        parts = client.map(make_part_of_table, *zip(*todo), bitrate=bitrate, retries=3, pure=False)
        made = sum(part.result() for part in as_completed(parts))
    for old in set(table.glob("part-*.parquet")) - whole:
        old.unlink()  # Of other settings, or of files as they were.
    errors = pyarrow.parquet.read_table(table, columns=["error"])["error"]
    print(f"{made} of {len(paths)} files in this run; {len(errors) - errors.null_count} failed in all")
    return 0


def make_part(part, parts, manifest, options, program, folder):
    """Encodes a part of a manifest."""
    # End the program with its parent: Dask already runs a replacement.
    words = ["setpriv", "--pdeathsig", "KILL", program, "batch", manifest, "--shard", f"{part}/{parts}"]
    ended = subprocess.run(
        [*words, "--jobs", "1", "--quiet", *options], cwd=folder, stdin=subprocess.DEVNULL
    )
    # 1 means permanently failed lines, which the ledger lists. Retry after other codes.
    if ended.returncode not in (0, 1):
        raise RuntimeError(f"Part {part} of {parts} ended with {ended.returncode}.")
    return ended.returncode


def make_files(client, manifest, parts, options):
    folder, program = os.getcwd(), os.environ.get("AACORN", "aacorn")
    given = {"parts": parts, "manifest": manifest, "options": options, "program": program, "folder": folder}
    return max(client.gather(client.map(make_part, range(1, parts + 1), **given, retries=3, pure=False)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    table = kinds.add_parser("bytes")
    table.add_argument("sounds", type=Path)
    table.add_argument("table", type=Path)
    table.add_argument("--bitrate", type=int)
    table.add_argument("--files-per-part", type=int, default=100)
    files = kinds.add_parser("files")
    files.add_argument("manifest")
    files.add_argument("parts", type=int)
    files.add_argument("options", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    # The scheduler at DASK_SCHEDULER_ADDRESS, or workers on this machine.
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    local = {"n_workers": os.cpu_count(), "threads_per_worker": 1, "dashboard_address": None}
    with Client(address) if address else Client(**local) as client:
        if chosen.kind == "files":
            return make_files(client, chosen.manifest, chosen.parts, chosen.options)
        sounds, out = chosen.sounds.resolve(), chosen.table.resolve()
        return make_table(client, sounds, out, chosen.bitrate, chosen.files_per_part)


if __name__ == "__main__":
    try:
        code = main()
    except Exception:
        # Python itself would exit with 1, which means failed files.
        traceback.print_exc()
        code = 70
    sys.exit(code)
