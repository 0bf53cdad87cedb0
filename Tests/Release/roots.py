"""Newly installed systems: Debian's minimal system, in folders of .build/roots."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2]
FOLDER = SOURCES / ".build/roots"
NAMES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
# The release of this machine's package source.
OWN = "bookworm"
# The ID of the user of trials, which is also the ID of the user in the container image.
USER = 65532
# Required programs of this machine, and their Debian packages.
NEEDED = {
    "cpio": "cpio",
    "debootstrap": "debootstrap",
    "ffmpeg": "ffmpeg",
    "icecast2": "icecast2",
    "ip": "iproute2",
    "lintian": "lintian",
    "npm": "npm",
    "pip3": "python3-pip",
    "rpm": "rpm",
    "rpm2cpio": "rpm2cpio",
    "umoci": "umoci",
    "unshare": "util-linux",
}


class Failure(Exception):
    """The failure of a trial: a message with the output of the failed program."""


def check_machine():
    """Checks the requirements for creating and entering other systems."""
    if os.geteuid() != 0:
        raise Failure(
            "Clean systems are entered with chroot, which only root can. Run it as root, for"
            " example in a container of Debian 12."
        )
    for program, package in NEEDED.items():
        if shutil.which(program) is None:
            raise Failure(f"{program} is missing. Scripts/setup --gate installs {package}.")
    tried = subprocess.run(
        ["unshare", "--mount", "--net", "--pid", "--fork", "--mount-proc", "true"],
        capture_output=True, text=True,
    )
    if tried.returncode:
        raise Failure(
            f"Separate namespaces are not permitted here: {tried.stderr.strip()}. In a container,"
            " run it with --privileged."
        )


def run(words, said=None):
    """Runs a program of this machine; its output is part of the error if it fails."""
    result = subprocess.run(
        [str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace",
    )
    if result.returncode:
        raise Failure(
            f"{said or ' '.join(map(str, words))} failed with {result.returncode}:\n"
            + result.stdout[-6000:]
        )
    return result.stdout


def release_of(path):
    """Returns the name of the system in a folder, for example Debian 12.11."""
    lines = (Path(path) / "etc/os-release").read_text().splitlines()
    facts = dict(line.replace('"', "").split("=", 1) for line in lines if "=" in line)
    name, number = facts["NAME"].removesuffix(" GNU/Linux"), facts["VERSION_ID"]
    # os-release contains only the first number.
    point = Path(path) / "etc/debian_version"
    if facts["ID"] == "debian" and point.exists():
        number = point.read_text().strip()
    return f"{name} {number}"


def sources(release):
    """Returns this machine's source of Debian packages, as lines for apt and as a mirror."""
    lines = run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)",
         "Created-By: Packages", "Origin: Debian"]
    ).splitlines()
    lines = sorted({line for line in lines if line.split()[1].split("-")[0] == OWN})
    mirror = [line.split()[0] for line in lines if line.split()[1] == OWN]
    if not mirror:
        raise Failure(f"This machine's apt-get has no source of {NAMES[OWN]} ({OWN}).")
    # Mirrors have all releases, in separate folders.
    return [line.replace(f" {OWN}", f" {release}") for line in lines], mirror[0]


class Root:
    """A system in a folder."""

    def __init__(self, path):
        self.path = Path(path)

    def run(self, words):
        """Runs a program in the system as root, with this machine's network, as installers require."""
        # The mounts end with the program.
        inside = (
            'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&'
            ' mount --bind "$2" "$1/var/cache/apt/archives" && root=$1 && shift 2 &&'
            ' exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8'
            ' DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"'
        )
        shutil.copy("/etc/resolv.conf", self.path / "etc/resolv.conf")
        archives = FOLDER / "archives"
        (archives / "partial").mkdir(parents=True, exist_ok=True)
        return run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside, "sh",
             self.path, archives, *words],
            " ".join(map(str, words)),
        )

    def install(self, *names, recommends=False):
        option = [] if recommends else ["--no-install-recommends"]
        self.run(["apt-get", "install", "-y", "-q", *option, *names])

    def put(self, file, folder="trial"):
        """Copies a file into the system, readable for every user; returns its path there."""
        target = self.path / folder / Path(file).name
        shutil.copy(file, target)
        target.chmod(0o755 if os.access(file, os.X_OK) else 0o644)
        return f"/{folder}/{target.name}"

    def make_trial_folder(self):
        """Creates the folder of the user of trials."""
        trial_folder = self.path / "trial"
        trial_folder.mkdir(exist_ok=True)
        os.chown(trial_folder, USER, USER)

    def remove(self):
        shutil.rmtree(self.path)


def base(release):
    """Returns the minimal system of a release, without our files; created once, then updated."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines, mirror = sources(release)
    root = Root(FOLDER / f"base-{release}")
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not root.path.exists():
            print(f"making a clean {NAMES[release]}", file=sys.stderr)
            unfinished = FOLDER / f"unfinished-{release}"
            if unfinished.exists():
                shutil.rmtree(unfinished)
            run(["debootstrap", "--variant=minbase", release, unfinished, mirror])
            unfinished.rename(root.path)
        (root.path / "etc/apt/sources.list").write_text("".join(f"deb {line}\n" for line in lines))
        # Writes to a temporary disk need not be synchronized.
        (root.path / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n")
        root.run(["apt-get", "update", "-q"])
        root.run(["apt-get", "upgrade", "-y", "-q"])
    return root


def copy(origin, name):
    """Returns a separate system for a trial."""
    path = FOLDER / f"trial-{name}"
    if path.exists():
        shutil.rmtree(path)
    run(["cp", "-a", origin.path, path])
    root = Root(path)
    root.make_trial_folder()
    return root
