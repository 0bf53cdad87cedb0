"""Encodes many sounds with Spark.

    spark-submit job.py bytes SOUNDS TABLE [--bitrate 96000]
        Encodes the WAV files in the folder SOUNDS to a Parquet table: path, aac, error.

    spark-submit job.py files MANIFEST PARTS [OPTION of aacorn batch]...
        Encodes the files in the manifest. All workers need the same file system.

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
    import pandas
    from pyspark.sql import SparkSession
except ImportError as error:
    print(f"A Python package is missing: {error}.", file=sys.stderr)
    sys.exit(70)


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


def make_table(spark, sounds, table, bitrate):
    def encode(batches):
        for batch in batches:
            rows = [encode_sound(data, bitrate) for data in batch["content"]]
            yield pandas.DataFrame(
                {"path": batch["path"], "aac": [row[0] for row in rows], "error": [row[1] for row in rows]}
            )

    # The default of 10,000 files in memory at the same time is too many.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 32)
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    files = files.option("pathGlobFilter", "*.wav").load(sounds).select("path", "content")
    rows = files.mapInPandas(encode, "path string, aac binary, error string")
    rows.write.mode("overwrite").option("compression", "none").parquet(table)
    made = spark.read.parquet(table).select("error")
    print(f"{made.where('error IS NULL').count()} encoded, {made.where('error IS NOT NULL').count()} failed")
    return 0


def make_files(spark, manifest, parts, options):
    folder, program = os.getcwd(), os.environ.get("AACORN", "aacorn")

    def make_part(part):
        # End the program with its parent: Spark already runs a replacement.
        words = ["setpriv", "--pdeathsig", "KILL", program, "batch", manifest, "--shard", f"{part}/{parts}"]
        ended = subprocess.run(
            [*words, "--jobs", "1", "--quiet", *options], cwd=folder, stdin=subprocess.DEVNULL
        )
        # 1 means permanently failed lines, which the ledger lists. Retry after other codes.
        if ended.returncode not in (0, 1):
            raise RuntimeError(f"Part {part} of {parts} ended with {ended.returncode}.")
        return ended.returncode

    codes = spark.sparkContext.parallelize(range(1, parts + 1), parts).map(make_part).collect()
    return max(codes)


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
    spark = SparkSession.builder.appName("aacorn").getOrCreate()
    if chosen.kind == "files":
        return make_files(spark, chosen.manifest, chosen.parts, chosen.options)
    return make_table(spark, chosen.sounds, chosen.table, chosen.bitrate)


if __name__ == "__main__":
    try:
        code = main()
    except Exception:
        # Python itself would exit with 1, which means failed files.
        traceback.print_exc()
        code = 70
    sys.exit(code)
