"""Runs the manifest of a Kubernetes job without Kubernetes: a process for each pod, two at a time.

    pods.py JOB.YAML [OPTION of aacorn batch]...

First validates the manifest against the schema of Kubernetes. A failed pod is restarted as often as the job
allows, unless its exit code ends the job.
"""

import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import kubernetes_validate
import yaml

VERSIONS = ("1.29", "1.37")


def container_of(job, options):
    """Returns the command of each pod, with additional options of a trial."""
    container = job["spec"]["template"]["spec"]["containers"][0]
    (text,) = container["args"]
    before, program, behind = text.partition("aacorn batch ")
    if not program:
        sys.exit("The pods of the job do not call “aacorn batch”.")
    return [*container["command"], before + program + "".join(f"{word} " for word in options) + behind]


def pod(index, job, words):
    """Runs a pod until it succeeds or may not be restarted; returns its last result."""
    for _ in range(job["spec"]["backoffLimitPerIndex"] + 1):
        ended = subprocess.run(
            words, env={**os.environ, "JOB_COMPLETION_INDEX": str(index)}, stdin=subprocess.DEVNULL
        )
        if ended.returncode == 0:
            return 0
        for rule in job["spec"]["podFailurePolicy"]["rules"]:
            if rule["action"] == "FailJob" and ended.returncode in rule["onExitCodes"]["values"]:
                return ended.returncode
    return ended.returncode


def main():
    with open(sys.argv[1]) as file:
        job = yaml.safe_load(file)
    for version in VERSIONS:
        kubernetes_validate.validate(job, version, strict=True)
    with ThreadPoolExecutor(2) as pool:
        words = container_of(job, map(shlex.quote, sys.argv[2:]))
        codes = list(pool.map(lambda index: pod(index, job, words), range(job["spec"]["completions"])))
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
