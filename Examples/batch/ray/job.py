"""Encodes many sounds with Ray.

    python job.py bytes SOUNDS TABLE [--bitrate 96000]
        Encodes the WAV files in the folder SOUNDS to a Parquet table: path, aac, error.

    python job.py files MANIFEST PARTS [OPTION of aacorn batch]...
        Encodes the files in the manifest. All nodes need the same file system.

Exits with 0 or 1 like aacorn batch: 1 means that the ledger lists failed files. Exits with 70 if
the job itself failed; run it again.
"""

import argparse
import io
import os
import subprocess
import sys
import traceback
import wave

try:
    import pyarrow
    import ray
    from ray.data import SaveMode
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


def make_table(sounds, table, bitrate):
    def encode(batch):
        rows = [encode_sound(data.as_py(), bitrate) for data in batch["bytes"]]
        columns = [batch["path"], [row[0] for row in rows], [row[1] for row in rows]]
        return pyarrow.table(columns, schema=COLUMNS)

    files = ray.data.read_binary_files(sounds, include_paths=True, file_extensions=["wav"])
    rows = files.map_batches(encode, batch_size=32, batch_format="pyarrow")
    rows.write_parquet(table, mode=SaveMode.OVERWRITE)
    errors = ray.data.read_parquet(table, columns=["error"])
    failed = errors.filter(lambda row: row["error"] is not None).count()
    print(f"{errors.count() - failed} encoded, {failed} failed")
    return 0


def make_files(manifest, parts, options):
    folder, program = os.getcwd(), os.environ.get("AACORN", "aacorn")

    @ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
    def make_part(part):
        # End the program with its parent: Ray already runs a replacement.
        words = ["setpriv", "--pdeathsig", "KILL", program, "batch", manifest, "--shard", f"{part}/{parts}"]
        ended = subprocess.run(
            [*words, "--jobs", "1", "--quiet", *options], cwd=folder, stdin=subprocess.DEVNULL
        )
        # 1 means permanently failed lines, which the ledger lists. Retry after other codes.
        if ended.returncode not in (0, 1):
            raise RuntimeError(f"Part {part} of {parts} ended with {ended.returncode}.")
        return ended.returncode

    return max(ray.get([make_part.remote(part) for part in range(1, parts + 1)]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    table = kinds.add_parser("bytes")
    table.add_argument("sounds")
    table.add_argument("table")
    table.add_argument("--bitrate", type=int)
    files = kinds.add_parser("files")
    files.add_argument("manifest")
    files.add_argument("parts", type=int)
    files.add_argument("options", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    # The cluster at RAY_ADDRESS, or this machine.
    ray.init()
    if chosen.kind == "files":
        return make_files(chosen.manifest, chosen.parts, chosen.options)
    return make_table(os.path.abspath(chosen.sounds), os.path.abspath(chosen.table), chosen.bitrate)


if __name__ == "__main__":
    try:
        code = main()
    except Exception:
        # Python itself would exit with 1, which means failed files.
        traceback.print_exc()
        code = 70
    sys.exit(code)
