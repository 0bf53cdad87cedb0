"""Object stores: an S3 server on this machine, intact and faulty, and the examples that use it."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import boto3
from botocore.config import Config

from daemons import Daemon
from engines import EXAMPLES, FAULT
from gates import CallGate
from processes import Job, tail
from small_disk import SmallDisk
from sounds import BITRATE, POISON, Failure, digest, write_sound

TIMEOUT = 2
KEYS = {
    "AWS_ACCESS_KEY_ID": "aacorn", "AWS_SECRET_ACCESS_KEY": "nothing-secret",
    "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
    "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1",
}


class Store:
    """The server, with the sounds in it."""

    def __init__(self, sounds, folder, aacorn, timeout):
        self.sounds, self.folder, self.aacorn, self.timeout = sounds, folder, aacorn, timeout
        folder.mkdir(parents=True)
        self.log = folder / "log"

    def __enter__(self):
        words = [sys.executable, Path(__file__).with_name("store_server.py")]
        self.daemon = Daemon(words, self.folder / "server.log", KEYS, prints_port=True)
        self.port = self.daemon.port
        try:
            self.s3 = self.client(self.port)
            self.s3.create_bucket(Bucket="archive")
            for name in [*self.sounds.names, POISON]:
                data = (self.sounds.folder / "sounds" / name).read_bytes()
                self.s3.put_object(Bucket="archive", Key=f"sounds/{name}", Body=data)
        except BaseException:
            self.daemon.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.daemon.__exit__()

    def client(self, port):
        return boto3.client(
            "s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1",
            aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"], aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
            config=Config(proxies={}, retries={"total_max_attempts": 1}),
        )

    def environment(self, port):
        """Returns the environment with which programs use a server on a port."""
        address = f"http://127.0.0.1:{port}"
        rclone = {
            "TYPE": "s3", "PROVIDER": "Other", "ENDPOINT": address, "FORCE_PATH_STYLE": "true",
            "ACCESS_KEY_ID": KEYS["AWS_ACCESS_KEY_ID"], "SECRET_ACCESS_KEY": KEYS["AWS_SECRET_ACCESS_KEY"],
        }
        settings = self.folder / "rclone.conf"
        settings.touch()
        return {
            **KEYS, "AWS_ENDPOINT_URL": address, "AACORN": str(self.aacorn), "TIMEOUT": str(TIMEOUT),
            "RCLONE_CONFIG": str(settings), "RCLONE_S3_NO_CHECK_BUCKET": "true",
            "RCLONE_TIMEOUT": f"{TIMEOUT}s", **{f"RCLONE_CONFIG_STORE_{key}": rclone[key] for key in rclone},
        }

    def faulty(self):
        """Starts a proxy that breaks some requests to the server."""
        program = Path(__file__).with_name("faulty_proxy.py")
        words = [sys.executable, program, "0", self.port, str(3 * TIMEOUT)]
        return Daemon(words, self.folder / "proxy.log", prints_port=True)

    def worker(self, target, port, gate=None):
        """Starts the example in Python."""
        words = [sys.executable, EXAMPLES / "s3/encode.py", "s3://archive/sounds", f"s3://archive/{target}"]
        words += ["--bitrate", str(BITRATE), "--timeout", str(TIMEOUT)]
        return Job(words, self.folder, {**self.environment(port), **(gate or {})}, self.log)

    def status_counts(self):
        """Returns the number of each status in the worker's last run."""
        lines = self.log.read_text(errors="replace").rpartition("\n$ ")[2].splitlines()
        return Counter(json.loads(line)["status"] for line in lines if line.startswith("{"))

    def compare(self, target):
        made, pages = {}, self.s3.get_paginator("list_objects_v2")
        for page in pages.paginate(Bucket="archive", Prefix=f"{target}/"):
            for found in page.get("Contents", []):
                data = self.s3.get_object(Bucket="archive", Key=found["Key"])["Body"].read()
                made[found["Key"].removeprefix(f"{target}/").removesuffix(".m4a")] = digest(data)
        self.sounds.compare(made, "S3")

    def run(self, target, port, wanted, times=1):
        """Runs the worker until nothing is postponed; `wanted` returns the expected counts of the last run.
        """
        for _ in range(times):
            code = self.worker(target, port).wait(self.timeout)
            counts = self.status_counts()
            if not counts["postponed"]:
                break
        if code != 1 or counts != wanted(counts):
            raise Failure(f"The worker of S3 ended with {code}: {dict(counts)}{tail(self.log)}")
        self.compare(target)

    def normal(self):
        """Encodes all sounds."""
        self.run("normal", self.port, lambda _: Counter({"done": self.sounds.count, "failed": 1}))

    def again(self):
        """Runs again, when only the invalid file remains."""
        self.run("normal", self.port, lambda _: Counter({"done before": self.sounds.count, "failed": 1}))

    def all_killed(self):
        begun = time.monotonic()
        with CallGate(self.folder / "gate", self.sounds.count) as gate:
            job = self.worker("killed", self.port, gate.environment)
            job.wait_at(gate, "The worker of S3", self.timeout)
            # Workers with a pass finish their sound, whatever the others do.
            while not self.s3.list_objects_v2(Bucket="archive", Prefix="killed/").get("Contents"):
                if job.process.poll() is not None or time.monotonic() > begun + self.timeout:
                    raise Failure(f"The worker of S3 had no output before it was killed.{tail(self.log)}")
                time.sleep(0.02)
            job.kill_midway(gate, "The worker of S3", self.timeout)
        self.run("killed", self.port, self.is_complete)

    def is_complete(self, counts):
        """Returns the counts if each sound was done in this run or before."""
        done = counts["done"] + counts["done before"]
        return counts if done == self.sounds.count and counts["failed"] == 1 else None

    def slow_store(self):
        """A store with errors, broken connections and delays."""
        with self.faulty() as proxy:
            self.run("faulty", proxy.port, self.is_complete, times=4)
        print(f"faulty S3: {proxy.output}", flush=True)

    def long_sound(self):
        """A sound that is read in ranges, and whose output has several parts."""
        path = self.folder / "long.wav"
        write_sound(path, 1, seconds=150)
        self.s3.upload_file(str(path), "archive", "long/long.wav")
        with self.faulty() as proxy:
            words = [sys.executable, EXAMPLES / "s3/encode.py", "s3://archive/long", "s3://archive/long-made"]
            words += ["--bitrate", "512000", "--timeout", str(TIMEOUT)]
            code = Job(words, self.folder, self.environment(proxy.port), self.log).wait(self.timeout)
        found = self.s3.get_object(Bucket="archive", Key="long-made/long.m4a")
        if code or not found["ETag"].strip('"').endswith("-2"):
            raise Failure(f"A long sound ended with {code} and is not in two parts.{tail(self.log)}")
        if found["Body"].read() != self.alone(path, "long.m4a", "-b", "512k"):
            raise Failure("A long sound through S3 differs from the command's output.")

    def alone(self, path, output, *options):
        """Returns the command's output for a sound, written to a file."""
        output = self.folder / output
        subprocess.run([self.aacorn, "encode", "-q", "-f", path, "-o", output, *options], check=True)
        return output.read_bytes()

    def streamed(self, path):
        """Returns the command's output for a sound in a pipe."""
        with open(path, "rb") as sound:
            words = [self.aacorn, "encode", "-q", "-", "-o", "-", "-b", "96k"]
            return subprocess.run(words, stdin=sound, stdout=subprocess.PIPE, check=True).stdout

    def shells(self):
        """Presigned addresses, and rclone in a pipe; a few sounds each, with the faulty store."""
        name = self.sounds.names[0]
        path = self.sounds.folder / "sounds" / name
        whole = self.alone(path, "short.m4a", "-b", "96k")
        streamed = self.streamed(path)
        with self.faulty() as proxy:
            signer = self.client(proxy.port)
            for index in range(4):
                key = f"shells/{index}.m4a"
                get = address(signer, "get_object", f"sounds/{name}")
                put = address(signer, "put_object", key)
                self.shell(proxy.port, key, whole, EXAMPLES / "s3/presigned", get, put, "-b", "96k")
                key = f"shells/{index}-rclone.m4a"
                places = [f"store:archive/sounds/{name}", f"store:archive/{key}"]
                self.shell(proxy.port, key, streamed, EXAMPLES / "s3/piped", *places, "-b", "96k")
            self.rivals(proxy.port, f"store:archive/sounds/{name}", streamed)
            # An invalid file leaves no output.
            lost = address(signer, "put_object", "lost")
            for none in ("nothing", f"sounds/{POISON}"):
                get = address(signer, "get_object", none)
                self.check_code(proxy.port, 2, EXAMPLES / "s3/presigned", get, lost)
            places = [f"store:archive/sounds/{POISON}", "store:archive/lost"]
            self.check_code(proxy.port, 2, EXAMPLES / "s3/piped", *places)
            # Addresses that name a local file, contain an option, or run a program leave no output either.
            for wrong in (path.as_uri(), f"-K{path}", f'http://127.0.0.1/a"\noutput="{path}'):
                self.check_code(proxy.port, 2, EXAMPLES / "s3/presigned", wrong, lost)
            for wrong in (str(path), f":local:{path}", f"store,type=local:{path}", f"--config={path}"):
                self.check_code(proxy.port, 2, EXAMPLES / "s3/piped", wrong, "store:archive/lost")
        for prefix, suffix in (("lost", ""), ("shells/", ".partial")):
            for found in self.s3.list_objects_v2(Bucket="archive", Prefix=prefix).get("Contents", []):
                if found["Key"].endswith(suffix):
                    raise Failure(f"{found['Key']} remains in the store, but is not an output.")

    def rivals(self, port, source, wanted):
        """Two workers that write the same output, as with an engine that mistakes one for lost."""
        words = [EXAMPLES / "s3/piped", source, "store:archive/shells/both.m4a", "-b", "96k"]
        jobs = [Job(words, self.folder, self.environment(port), self.log) for _ in range(2)]
        codes = [job.wait(self.timeout) for job in jobs]
        made = self.s3.get_object(Bucket="archive", Key="shells/both.m4a")["Body"].read()
        if codes != [0, 0] or made != wanted:
            raise Failure(f"Two workers with the same output ended with {codes}.{tail(self.log)}")

    def full_disk(self):
        """No space for temporary files: for the input, and then for the output."""
        name = self.sounds.names[0]
        path = self.sounds.folder / "sounds" / name
        whole = self.alone(path, "short.m4a", "-b", "96k")
        get, key = address(self.s3, "get_object", f"sounds/{name}"), "full/presigned.m4a"
        put = address(self.s3, "put_object", key)
        # Files occupy whole memory pages; one is for the store's response about the input.
        pages = path.stat().st_size // 4096 + 1
        for number, room in enumerate((pages // 2, pages + 1)):
            with SmallDisk(self.folder / f"small-{number}", room * 4096) as disk:
                places = {"TMPDIR": str(disk.path), "ATTEMPTS": "2"}
                self.check_code(self.port, 1, EXAMPLES / "s3/presigned", get, put, "-b", "96k", **places)
                if self.s3.list_objects_v2(Bucket="archive", Prefix="full/").get("Contents"):
                    raise Failure("On a full disk presigned leaves an object in the store.")
                if list(disk.path.iterdir()):
                    raise Failure("On a full disk presigned leaves temporary files.")
                disk.grow()
                self.shell(self.port, key, whole, EXAMPLES / "s3/presigned", get, put, "-b", "96k", **places)
                self.s3.delete_object(Bucket="archive", Key=key)

    def listed(self):
        """A listing in a file, and two parts that read it, with Google's form of addresses."""
        endpoint = ["--endpoint", f"http://127.0.0.1:{self.port}"]
        environment = {**KEYS, "AWS_MAX_ATTEMPTS": "1"}
        program, keys = [sys.executable, EXAMPLES / "s3/encode.py"], self.folder / "keys.jsonl"
        ended = subprocess.run(
            [*program, "gs://archive/sounds", "--list", *endpoint], env={**os.environ, **environment},
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )
        if ended.returncode or ended.stdout.count("\n") != self.sounds.count + 1:
            raise Failure(f"The listing ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
        keys.write_text(ended.stdout)
        words = [*program, "gs://archive/sounds", "gs://archive/listed", *endpoint, "--keys", keys]
        words += ["--bitrate", str(BITRATE)]
        counts = Counter()
        for part in ("1/2", "2/2"):
            job = Job([*words, "--shard", part], self.folder, environment, self.log)
            job.wait(self.timeout)
            counts += self.status_counts()
        if counts != Counter({"done": self.sounds.count, "failed": 1}):
            raise Failure(f"Two parts with a file of keys reported {dict(counts)}.{tail(self.log)}")
        self.compare("listed")

    def no_bucket(self):
        """A job that fails as a whole, not only for one object, reports it by its exit code."""
        words = [sys.executable, EXAMPLES / "s3/encode.py", "s3://nowhere/sounds", "s3://archive/lost"]
        self.check_code(self.port, FAULT, *words)

    def shell(self, port, key, wanted, *words, **environment):
        self.check_code(port, 0, *words, **environment)
        if self.s3.get_object(Bucket="archive", Key=key)["Body"].read() != wanted:
            raise Failure(f"{words[0]} wrote other bytes than the command.")

    def check_code(self, port, wanted, *words, **environment):
        environment = {**self.environment(port), **environment}
        code = Job(words, self.folder, environment, self.log).wait(self.timeout)
        if code != wanted:
            raise Failure(f"{words[0]} ended with {code}, not {wanted}.{tail(self.log)}")


def address(signer, action, key):
    """Returns a presigned address."""
    return signer.generate_presigned_url(action, {"Bucket": "archive", "Key": key}, ExpiresIn=600)
