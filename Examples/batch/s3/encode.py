"""Encodes a bucket's WAV files into another bucket, or another place of the same.

    python encode.py s3://SOUNDS/FOLDER s3://FILES/FOLDER [--bitrate 96000] [--shard 3/16]

Start it again, and it goes on: each output says, in its metadata, of which input and with which settings it
was made. A line in JSON tells what became of each object; it ends with 1 if one of them has no output, and
with 70 if it broke off before all were tried. Addresses other than Amazon's are named by AWS_ENDPOINT_URL.
"""

import argparse
import hashlib
import io
import json
import sys
import time
import traceback
import wave
from concurrent.futures import ThreadPoolExecutor
from functools import partial

try:
    import aacorn
    import boto3
    from boto3.s3.transfer import TransferConfig
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError
except ImportError as error:
    print(f"A package is missing here: {error}.", file=sys.stderr)
    sys.exit(70)

PIECE = 8 << 20
UPLOAD = TransferConfig(multipart_threshold=PIECE, multipart_chunksize=PIECE, use_threads=False)


class Postponed(Exception):
    """The store would not; a later run may have more luck."""


class Place:
    """A bucket, and where names in it begin."""

    def __init__(self, address):
        scheme, _, rest = address.partition("://")
        self.bucket, _, self.prefix = rest.partition("/")
        if scheme != "s3" or not self.bucket:
            raise argparse.ArgumentTypeError(f"“{address}” is not like s3://BUCKET/FOLDER.")
        if self.prefix and not self.prefix.endswith("/"):
            self.prefix += "/"


def fetch(s3, bucket, found, options):
    """An object by ranges; what a connection brought before it was cut is kept."""
    data, failures, end = bytearray(), 0, time.monotonic() + options.time_limit
    while len(data) < found["Size"]:
        last = min(len(data) + PIECE, found["Size"]) - 1
        try:
            # An object that somebody replaces meanwhile is not put together of two.
            answer = s3.get_object(
                Bucket=bucket, Key=found["Key"], IfMatch=found["ETag"], Range=f"bytes={len(data)}-{last}"
            )
            if "ContentRange" not in answer:
                data.clear()  # A store that knows no ranges begins anew.
            if not answer["ContentLength"]:
                raise Postponed("The store sends nothing of it.")
            for chunk in answer["Body"].iter_chunks(1 << 12):
                data += chunk
                if time.monotonic() > end:
                    raise Postponed(f"{len(data)} of {found['Size']} bytes came in {options.time_limit} s.")
        except BotoCoreError as error:
            failures += 1
            if failures > options.retries or time.monotonic() > end:
                raise Postponed(f"It could not be read to its end: {error}") from error
            time.sleep(min(0.5 * 2**failures, 20))
    return bytes(data)


def encode_sound(data, bitrate):
    """The bytes of an M4A file, from those of a WAV file."""
    with wave.open(io.BytesIO(data)) as sound:
        form, samples = sound.getparams(), sound.readframes(sound.getnframes())
    if form.sampwidth != 2:
        raise ValueError(f"The samples have {8 * form.sampwidth} bits, not 16.")
    if len(samples) < 2 * form.nchannels * form.nframes:
        raise ValueError("The file ends before its header says so.")
    return aacorn.encode(samples, form.framerate, channels=form.nchannels, bitrate=bitrate)


def mark_of(s3, bucket, key):
    """The metadata of an object; none if it is not there."""
    try:
        return s3.head_object(Bucket=bucket, Key=key)["Metadata"]
    except ClientError as error:
        if error.response["Error"]["Code"] in ("404", "NoSuchKey", "NotFound"):
            return {}
        raise


def make(s3, options, found):
    """Makes the output of an object unless it is there; what became of it."""
    key, target = found["Key"], options.target
    name = target.prefix + key[len(options.source.prefix) : -len(".wav")] + ".m4a"
    told = {"input": key, "output": name}
    mark = {
        "input-etag": found["ETag"].strip('"'),
        "settings": f"aacorn {aacorn.__version__} bitrate={options.bitrate}",
    }
    try:
        there = mark_of(s3, target.bucket, name)
        if mark.items() <= there.items():
            return {**told, "status": "done before"}
        data = fetch(s3, options.source.bucket, found, options)
        try:
            made = encode_sound(data, options.bitrate)
        except Exception as error:  # Whatever it is, it costs this object and no other.
            return {**told, "status": "failed", "error": f"{type(error).__name__}: {error}"}
        # The name appears when all parts have arrived.
        extra = {"Metadata": mark, "ContentType": "audio/mp4"}
        s3.upload_fileobj(io.BytesIO(made), target.bucket, name, ExtraArgs=extra, Config=UPLOAD)
        return {**told, "status": "done", "bytes": len(made)}
    except (BotoCoreError, ClientError, boto3.exceptions.Boto3Error, Postponed) as error:
        return {**told, "status": "postponed", "error": str(error)}


def pages(s3, options):
    """The objects of this part, by pages of the listing."""
    lists = s3.get_paginator("list_objects_v2")
    for page in lists.paginate(Bucket=options.source.bucket, Prefix=options.source.prefix):
        names = [found for found in page.get("Contents", []) if found["Key"].endswith(".wav")]
        yield [found for found in names if part_of(found["Key"], options.shard[1]) == options.shard[0]]


def part_of(key, count):
    """The part, from 1, that an object belongs to on every machine."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % count + 1


def shard(text):
    """“3/16” as numbers."""
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise argparse.ArgumentTypeError(f"“{text}” is not like 3/16.")
    return int(index), int(count)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Place)
    parser.add_argument("target", type=Place)
    parser.add_argument("--bitrate", type=int)
    parser.add_argument("--jobs", type=int, default=16, help="objects at a time")
    parser.add_argument("--shard", type=shard, default=(1, 1), help="3/16 is the third of 16 parts")
    parser.add_argument("--retries", type=int, default=8, help="of a request")
    parser.add_argument("--timeout", type=float, default=30, help="seconds without a byte")
    parser.add_argument("--time-limit", type=float, default=900, help="seconds for reading an object")
    options = parser.parse_args()
    s3 = boto3.client(
        "s3",
        config=Config(
            # Whoever is told to slow down waits longer each time.
            retries={"mode": "standard", "total_max_attempts": options.retries + 1},
            connect_timeout=options.timeout, read_timeout=options.timeout,
            max_pool_connections=options.jobs,
        ),
    )
    missing = 0
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            # A page has at most a thousand objects, so a listing of millions is never in memory.
            for page in pages(s3, options):
                for told in pool.map(partial(make, s3, options), page):
                    print(json.dumps(told, ensure_ascii=False), flush=True)
                    missing += told["status"] in ("failed", "postponed")
    except (BotoCoreError, ClientError) as error:
        print(f"The bucket could not be listed to its end. Run it again. {error}", file=sys.stderr)
        return 70
    return int(missing > 0)


if __name__ == "__main__":
    try:
        code = main()
    except Exception:
        # Python would end with 1, as if objects had failed.
        traceback.print_exc()
        code = 70
    sys.exit(code)
