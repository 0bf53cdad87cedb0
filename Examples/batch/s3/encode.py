"""Encodes the WAV files of a bucket to another bucket, or to another folder of the same bucket.

    python encode.py s3://SOUNDS/FOLDER s3://FILES/FOLDER [--bitrate 96000] [--shard 3/16]
    python encode.py s3://SOUNDS/FOLDER --list >keys.jsonl
    python encode.py s3://SOUNDS/FOLDER s3://FILES/FOLDER --keys keys.jsonl --shard 3/16

A second run resumes the work: the metadata of each output states its input and its settings. Prints
the result of each object as a line of JSON. Exits with 1 if an object has no output, and with 70 if
the program ended before it tried all objects. gs:// selects the S3 interface of Google Cloud
Storage; --endpoint or AWS_ENDPOINT_URL sets the address of other stores.
"""

import argparse
import hashlib
import io
import json
import os
import sys
import time
import traceback
import wave
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

try:
    import aacorn
    import boto3
    from boto3.s3.transfer import TransferConfig
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError
except ImportError as error:
    print(f"A Python package is missing: {error}.", file=sys.stderr)
    sys.exit(70)

GOOGLE = "https://storage.googleapis.com"
PIECE = 8 << 20
#: The number of objects to process together; also the maximum for one page of a listing.
PAGE = 1000
UPLOAD = TransferConfig(multipart_threshold=PIECE, multipart_chunksize=PIECE, use_threads=False)


class Postponed(Exception):
    """The store failed; a later run may succeed."""


class BadKeys(Exception):
    """A file of keys is invalid."""


class Place:
    """A bucket and a prefix of keys."""

    def __init__(self, address):
        self.scheme, _, rest = address.partition("://")
        self.bucket, _, self.prefix = rest.partition("/")
        if self.scheme not in ("s3", "gs") or not self.bucket:
            raise argparse.ArgumentTypeError(f"“{address}” is not like s3:// or gs://BUCKET/FOLDER.")
        if self.prefix and not self.prefix.endswith("/"):
            self.prefix += "/"


def fetch(s3, bucket, found, options):
    """Downloads an object in ranges, and keeps the bytes received before a connection failed."""
    data, failures, end = bytearray(), 0, time.monotonic() + options.time_limit
    while len(data) < found["Size"]:
        last = min(len(data) + PIECE, found["Size"]) - 1
        try:
            # Detect an object that is replaced during the download.
            answer = s3.get_object(
                Bucket=bucket, Key=found["Key"], IfMatch=found["ETag"], Range=f"bytes={len(data)}-{last}"
            )
            if "ContentRange" not in answer:
                data.clear()  # A store without ranges sends the whole object again.
            if not answer["ContentLength"]:
                raise Postponed("The store sends no data of the object.")
            for chunk in answer["Body"].iter_chunks(1 << 12):
                data += chunk
                if time.monotonic() > end:
                    raise Postponed(f"Only {len(data)} of {found['Size']} bytes arrived in {options.time_limit} s.")
        except BotoCoreError as error:
            failures += 1
            if failures > options.retries or time.monotonic() > end:
                raise Postponed(f"The download failed: {error}") from error
            time.sleep(min(0.5 * 2**failures, 20))
    return bytes(data)


def encode_sound(data, bitrate):
    """Encodes the bytes of a WAV file to the bytes of an M4A file."""
    with wave.open(io.BytesIO(data)) as sound:
        form, samples = sound.getparams(), sound.readframes(sound.getnframes())
    if form.sampwidth != 2:
        raise ValueError(f"The samples have {8 * form.sampwidth} bits, not 16.")
    if len(samples) < 2 * form.nchannels * form.nframes:
        raise ValueError("The file is shorter than its header states.")
    return aacorn.encode(samples, form.framerate, channels=form.nchannels, bitrate=bitrate)


def mark_of(s3, bucket, key):
    """Returns the metadata of an object, or none if it does not exist."""
    try:
        return s3.head_object(Bucket=bucket, Key=key)["Metadata"]
    except ClientError as error:
        if error.response["Error"]["Code"] in ("404", "NoSuchKey", "NotFound"):
            return {}
        raise


def make(s3, options, found):
    """Encodes an object unless its output exists, and returns the result."""
    key, target = found["Key"], options.target
    if not key.startswith(options.source.prefix) or not key.endswith(".wav"):
        error = f"It is no WAV file in {options.source.bucket}/{options.source.prefix}."
        return {"input": key, "status": "failed", "error": error}
    name = target.prefix + key[len(options.source.prefix) : -len(".wav")] + ".m4a"
    told = {"input": key, "output": name}
    try:
        if "ETag" not in found:  # Only its name is known.
            there = s3.head_object(Bucket=options.source.bucket, Key=key)
            found = {"Key": key, "ETag": there["ETag"], "Size": there["ContentLength"]}
        mark = {
            "input-etag": found["ETag"].strip('"'),
            "settings": f"aacorn {aacorn.__version__} bitrate={options.bitrate}",
        }
        there = mark_of(s3, target.bucket, name)
        if mark.items() <= there.items():
            return {**told, "status": "done before"}
        data = fetch(s3, options.source.bucket, found, options)
        try:
            made = encode_sound(data, options.bitrate)
        except Exception as error:  # Any error fails only this object.
            return {**told, "status": "failed", "error": f"{type(error).__name__}: {error}"}
        # The output appears only after the upload of all its parts.
        extra = {"Metadata": mark, "ContentType": "audio/mp4"}
        s3.upload_fileobj(io.BytesIO(made), target.bucket, name, ExtraArgs=extra, Config=UPLOAD)
        return {**told, "status": "done", "bytes": len(made)}
    except (BotoCoreError, ClientError, boto3.exceptions.Boto3Error, Postponed) as error:
        return {**told, "status": "postponed", "error": str(error)}


def listed(s3, place):
    """Lists the WAV files of a bucket page by page, to save memory."""
    lists = s3.get_paginator("list_objects_v2")
    for page in lists.paginate(Bucket=place.bucket, Prefix=place.prefix):
        for found in page.get("Contents", []):
            if found["Key"].endswith(".wav"):
                yield {name: found[name] for name in ("Key", "ETag", "Size")}


def read_keys(path):
    """Reads the objects in a file. Each line is a line of --list or a key."""
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line := line.rstrip("\n"):
                    yield found_in(line, f"Line {number} of “{path}”")
    except (OSError, UnicodeError) as error:
        raise BadKeys(f"“{path}” could not be read completely. {error}") from error


def found_in(line, title):
    """Parses a line of a file of keys."""
    if not line.startswith("{"):
        return {"Key": line}
    try:
        found = json.loads(line)
        return {"Key": str(found["Key"]), "ETag": str(found["ETag"]), "Size": int(found["Size"])}
    except (ValueError, KeyError, TypeError) as error:
        raise BadKeys(f"{title} is neither a key nor an object with Key, ETag and Size.") from error


def groups(objects, options):
    """Yields the objects of this part in groups of at most PAGE."""
    index, count = options.shard
    mine = (found for found in objects if part_of(found["Key"], count) == index)
    while group := list(islice(mine, PAGE)):
        yield group


def part_of(key, count):
    """Returns the part of an object, from 1, the same on every machine."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % count + 1


def shard(text):
    """Parses a part such as “3/16”."""
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise argparse.ArgumentTypeError(f"“{text}” is not like 3/16.")
    return int(index), int(count)


def connect(options):
    """Creates a client of the store."""
    settings = {
        # In this mode, retries wait longer each time if the store is overloaded.
        "retries": {"mode": "standard", "total_max_attempts": options.retries + 1},
        "connect_timeout": options.timeout, "read_timeout": options.timeout,
        "max_pool_connections": options.jobs,
    }
    endpoint = options.endpoint
    if options.source.scheme == "gs":
        # Google Cloud Storage does not support the checksums that boto3 sends by default.
        settings["request_checksum_calculation"] = settings["response_checksum_validation"] = "when_required"
        if not os.environ.get("AWS_ENDPOINT_URL_S3") and not os.environ.get("AWS_ENDPOINT_URL"):
            endpoint = endpoint or GOOGLE
    return boto3.client("s3", endpoint_url=endpoint, config=Config(**settings))


def make_all(s3, options):
    """Encodes this part, and returns the number of objects without an output."""
    missing = 0
    objects = read_keys(options.keys) if options.keys else listed(s3, options.source)
    with ThreadPoolExecutor(options.jobs) as pool:
        for group in groups(objects, options):
            for told in pool.map(partial(make, s3, options), group):
                print(json.dumps(told, ensure_ascii=False), flush=True)
                missing += told["status"] in ("failed", "postponed")
    return missing


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Place)
    parser.add_argument("target", type=Place, nargs="?")
    parser.add_argument("--list", action="store_true", help="print the WAV files, and encode nothing")
    parser.add_argument("--keys", metavar="FILE", help="read the objects from FILE instead of listing the bucket")
    parser.add_argument("--bitrate", type=int)
    parser.add_argument("--endpoint", metavar="URL", help="the address of the store")
    parser.add_argument("--jobs", type=int, default=16, help="the number of parallel objects (default 16)")
    parser.add_argument("--shard", type=shard, default=(1, 1), help="3/16 is the third of 16 parts")
    parser.add_argument("--retries", type=int, default=8, help="retries of each request (default 8)")
    parser.add_argument("--timeout", type=float, default=30, help="seconds without data (default 30)")
    parser.add_argument("--time-limit", type=float, default=900, help="seconds for a download (default 900)")
    options = parser.parse_args()
    if options.list:
        if options.target or options.keys:
            parser.error("--list only prints the files in SOURCE. Omit the target and --keys.")
    elif not options.target:
        parser.error("Name a target for the outputs.")
    elif options.source.scheme != options.target.scheme:
        parser.error("Use s3:// or gs:// for both addresses: the program uses one pair of keys.")
    return options


def main():
    options = arguments()
    s3 = connect(options)
    try:
        if options.list:
            for found in listed(s3, options.source):
                print(json.dumps(found, ensure_ascii=False))
            return 0
        return int(make_all(s3, options) > 0)
    except (BotoCoreError, ClientError) as error:
        print(f"The bucket could not be listed completely. Run the program again. {error}", file=sys.stderr)
    except BadKeys as error:
        print(error, file=sys.stderr)
    return 70


if __name__ == "__main__":
    try:
        code = main()
    except Exception:
        # Python itself would exit with 1, which means failed objects.
        traceback.print_exc()
        code = 70
    sys.exit(code)
