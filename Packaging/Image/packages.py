"""Debian's packages, with all that they need, fetched by apt-get."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

RELEASE = "bookworm"
# What the packages ask for to be installed and configured, which nothing in the image does: it is
# unpacked, and the list of certificates made while it is.
LEFT_OUT = ["debconf", "openssl", "mawk", "dpkg", "install-info"]


class Lack(Exception):
    """What keeps packages from being fetched; a sentence."""


@dataclass
class Package:
    """A package's file, and what it says of itself."""

    file: Path
    name: str
    version: str
    control: str


def run(*words):
    if shutil.which(words[0]) is None:
        raise Lack(f"{words[0]} is missing. The image is made on Debian 12.")
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode:
        raise Lack(f"{words[0]} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def architecture():
    """Debian's name of this machine's kind, which is also that of container images."""
    return run("dpkg", "--print-architecture").strip()


def sources():
    """Debian's own lines of this machine's sources, and none of others that it may have."""
    lines = run(
        "apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)",
        "Created-By: Packages", "Origin: Debian",
    ).splitlines()
    lines = [line for line in lines if line.split()[1].split("-")[0] == RELEASE]
    if not lines:
        raise Lack(
            f"The packages come from Debian 12 ({RELEASE}), which is not among the sources of this"
            " machine's apt-get. Make the image there, or in a container of it."
        )
    return sorted(set(lines))


def fetch(names, folder):
    """Packages and what they need, as on a system with nothing; kept in `folder` for the next time."""
    (folder / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "nothing" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "sources").mkdir(exist_ok=True)
    (folder / "sources" / "debian.list").write_text("".join(f"deb {line}\n" for line in sources()))
    status = "".join(
        f"Package: {name}\nStatus: install ok installed\nMaintainer: none\nVersion: 999\n"
        f"Architecture: {architecture()}\nMulti-Arch: foreign\n"
        + {"debconf": "Provides: debconf-2.0\n", "mawk": "Provides: awk\n"}.get(name, "")
        + "Description: left out\n\n"
        for name in LEFT_OUT
    )
    (folder / "status").write_text(status)
    settings = {
        "Dir::State::status": folder / "status",
        "Dir::State::extended_states": folder / "extended_states",
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": folder / "sources",
        "Dir::Etc::preferencesparts": "/dev/null",
        "Dir::Cache": folder,
        "Dir::Cache::archives": folder,
        "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "",
        "Debug::NoLocking": "true",
    }
    options = [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]
    install = ["apt-get", *options, "-y", "-qq", "install"]
    run(*install, "--download-only", *names)
    # It names only what it would fetch. Lines are: address in quotes, name, size, sum.
    nothing = ["-o", f"Dir::Cache::archives={folder / 'nothing'}"]
    plan = run(*install, *nothing, "--print-uris", *names)
    files = sorted(folder / line.split()[1] for line in plan.splitlines() if line.startswith("'"))
    return [describe(file) for file in files]


def describe(file):
    control = run("dpkg-deb", "--field", str(file))
    fields = dict(
        line.split(": ", 1) for line in control.splitlines() if ": " in line and line[0] != " "
    )
    return Package(file, fields["Package"], fields["Version"], control)
