"""Downloads Debian packages and their dependencies with apt-get."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

RELEASE = "bookworm"
# Dependencies for installation and configuration only. The image does not need them: its packages
# are only unpacked, and this script writes the list of certificates.
LEFT_OUT = ["debconf", "openssl", "mawk", "dpkg", "install-info"]


class DownloadError(Exception):
    """An error that prevents a download of packages, with a message."""


@dataclass
class Package:
    """The file of a package, and its control information."""

    file: Path
    name: str
    version: str
    control: str


def run(*words):
    if shutil.which(words[0]) is None:
        raise DownloadError(f"{words[0]} is missing. The image must be built on Debian 12.")
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode:
        raise DownloadError(f"{words[0]} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def architecture():
    """Returns Debian's name of this architecture, which container images use as well."""
    return run("dpkg", "--print-architecture").strip()


def sources():
    """Returns the sources of Debian on this machine, without sources of other origins."""
    lines = run(
        "apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)",
        "Created-By: Packages", "Origin: Debian",
    ).splitlines()
    lines = [line for line in lines if line.split()[1].split("-")[0] == RELEASE]
    if not lines:
        raise DownloadError(
            f"The packages come from Debian 12 ({RELEASE}), which is not among the sources of this"
            " machine's apt-get. Make the image there, or in a container of it."
        )
    return sorted(set(lines))


def fetch(names, folder):
    """Downloads packages and dependencies for an empty system, and caches them in `folder`."""
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
    # Prints only the required downloads. Lines are: URL in quotes, name, size, checksum.
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
