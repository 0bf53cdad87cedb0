"""Programs of another system, run as an ordinary user of it, in a network without access to other machines.
"""

import os
import signal
import subprocess
import time

from roots import USER, Failure

# The timeout in seconds; no trial waits for a fixed time.
TIMEOUT = 120


def prepare(root):
    """Prepares the namespaces as programs expect them on a running system."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for name in ("proc", "dev", "tmp"):
        os.makedirs(f"{root}/{name}", exist_ok=True)
    subprocess.run(["mount", "-t", "proc", "proc", f"{root}/proc"], check=True)
    subprocess.run(["mount", "--rbind", "/dev", f"{root}/dev"], check=True)


def wait_until(what, condition, program=None):
    """Waits for a state; fails after a timeout, or if the responsible program has ended."""
    deadline = time.monotonic() + TIMEOUT
    while not (result := condition()):
        if program is not None and program.process.poll() is not None:
            if result := condition():
                break
            raise Failure(f"{program} ended before {what}:\n{program.said()}")
        if time.monotonic() > deadline:
            said = "" if program is None else f":\n{program.said()}"
            raise Failure(f"Waited {TIMEOUT} s for {what}{said}")
        time.sleep(0.05)
    return result


class Program:
    """A program that runs in the background; its output goes into a file."""

    def __init__(self, words, log, options):
        self.words, self.log = words, log
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options
            )

    def __str__(self):
        return " ".join(self.words)

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def end(self):
        """Terminates the program, as the system does at shutdown."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure(f"{self} does not end:\n{self.said()}") from None


class Inside:
    """The user of another system."""

    def __init__(self, root, path="/usr/bin:/bin", home="/trial"):
        self.root = root
        self.environment = {"PATH": path, "HOME": home, "LANG": "C.UTF-8"}

    def options(self, environment):
        def enter():
            os.chroot(self.root)
            os.chdir("/trial")
            os.setgroups([])
            os.setgid(USER)
            os.setuid(USER)
            os.umask(0o022)

        return {"preexec_fn": enter, "env": self.environment | (environment or {})}

    def run(self, *words, code=0, environment=None):
        """Runs a program to its end; returns its standard output and its standard error."""
        try:
            result = subprocess.run(
                words, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT,
                **self.options(environment),
            )
        except subprocess.TimeoutExpired:
            raise Failure(f"{' '.join(words)} has not ended after {TIMEOUT} s.") from None
        except OSError as error:
            raise Failure(f"{' '.join(words)} cannot be run there: {error}") from None
        output, complaints = (text.decode(errors="replace") for text in (result.stdout, result.stderr))
        if result.returncode != code:
            raise Failure(
                f"{' '.join(words)} ended with {result.returncode}, not {code}:\n{output}{complaints}"
            )
        return output, complaints

    def start(self, *words, environment=None):
        log = f"{self.root}/trial/{len(os.listdir(f'{self.root}/trial'))}.log"
        return Program(list(words), log, self.options(environment))

    def path(self, name):
        """Returns the path on this machine of a file in the trial's folder."""
        return f"{self.root}/trial/{name}"
