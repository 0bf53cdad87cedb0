"""The artefacts of a release: each is installed on a clean system as its documentation says, and tested there.
"""

import ast
import json
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import roots
from roots import SOURCES, Failure

HERE = Path(__file__).resolve().parent
# File names of a release on pages.
NAMED_FILE = re.compile(r"aacorn[\w-]*[_-]\d+\.\d+\.\d+[\w.-]*\.(?:deb|rpm|tar\.gz|tar|tgz|whl)")
ALWAYS = ["reports_version", "records", "encodes", "decodes", "cuts_segments", "serves_studio"]
WITH_LIBRARIES = ["reads_flac", "streams"]


@dataclass
class Outcome:
    """A line of the table."""

    artefact: str
    system: str
    version: str
    size: int
    tried: list
    # The system with its release, for example Debian 12.11.
    place: str


def named(folder, pattern):
    """Returns the only file of a release whose name matches a pattern."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Failure(f"{folder} has {len(found)} files named {pattern}, not one.")
    return found[0]


def isolated(root, kind, trials, **settings):
    """Runs trials in separate namespaces, which leave nothing behind; returns the checksum that they print.
    """
    words = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    result = subprocess.run(
        [*words, sys.executable, HERE / "trials.py", root.path, kind, ",".join(trials),
         json.dumps(settings)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    if result.returncode:
        raise Failure(result.stdout + result.stderr)
    return result.stdout.strip()


class Release:
    """A folder created by Scripts/release."""

    def __init__(self, folder, version):
        self.folder, self.version = Path(folder), version
        self.bases = {}
        # The artefacts by the checksum of their encoded sound.
        self.encoded = {}

    def try_out(self, file, root, kind, trials, **settings):
        digest = isolated(root, kind, trials, **settings)
        self.encoded.setdefault(digest, []).append(file.name)
        return trials

    def clean(self, name, system=roots.OWN):
        """Returns a separate clean system for a trial."""
        if system not in self.bases:
            self.bases[system] = roots.base(system)
        return roots.copy(self.bases[system], name)

    def outcome(self, file, added, tried, system=roots.OWN, root=None):
        """Returns the result for a file that was tested on a clean system; `root` is another system, if any.
        """
        name, place = "this machine", f"{roots.release_of('/')}, set up for the checks"
        if added:
            name = f"{roots.NAMES[system]}, {added}"
            place = f"{roots.release_of(root.path if root else self.bases[system].path)}, {added}"
        return Outcome(file.name, name, self.version, file.stat().st_size, tried, place)

    def sums(self):
        """The checksums match the files and cover all of them, and the SBOM contains the same checksums."""
        roots.run(["sh", "-c", 'cd "$1" && sha256sum --check --strict SHA256SUMS', "sh", self.folder])
        lines = (self.folder / "SHA256SUMS").read_text().splitlines()
        summed = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
        present = {path.name for path in self.folder.iterdir()} - {"SHA256SUMS"}
        if set(summed) != present:
            raise Failure(f"SHA256SUMS and the folder differ in {set(summed) ^ present}.")
        list_file = named(self.folder, "*.spdx.json")
        listed = {
            file["fileName"].removeprefix("./"): checksum["checksumValue"]
            for file in json.loads(list_file.read_text())["files"]
            for checksum in file["checksums"]
            if checksum["algorithm"] == "SHA256"
        }
        if listed != {name: digest for name, digest in summed.items() if name != list_file.name}:
            raise Failure(f"{list_file.name} and SHA256SUMS contain different files or checksums.")
        # Pages name only existing files.
        named_files = 0
        for page in roots.run(["git", "-C", SOURCES, "ls-files", "-z", "*.md", "*.yaml"]).split("\0"):
            # These pages name earlier versions, too.
            if not page or page == "CHANGELOG.md" or page.startswith("Documentation/Performance"):
                continue
            for name in NAMED_FILE.findall((SOURCES / page).read_text()):
                named_files += 1
                if name not in present:
                    raise Failure(f"{page} names {name}, which the release does not have.")
        if not named_files:
            raise Failure("No page names a file of the release.")
        return self.outcome(list_file, None, ["sums of all files", "names on pages"])

    def sources(self):
        """The source tarball contains the files of the commit."""
        file = named(self.folder, f"aacorn-{self.version}.tar.gz")
        inside = roots.run(["tar", "tzf", file]).splitlines()
        files = {path.split("/", 1)[1] for path in inside if not path.endswith("/")}
        committed = set(
            roots.run(["git", "-C", SOURCES, "ls-tree", "-rz", "--name-only", "HEAD"]).split("\0")
        ) - {""}
        if files != committed:
            raise Failure(f"{file.name} and the commit differ in {sorted(files ^ committed)[:20]}.")
        return self.outcome(file, None, [f"{len(files)} files as committed"])

    def swift_package(self):
        """A program that depends on this version by its tag, resolved by the package manager."""
        folder = roots.FOLDER / "trial-package"
        roots.run(["rm", "-rf", folder])
        (folder / "Sources/client").mkdir(parents=True)
        repository = folder / "aacorn.git"
        roots.run(["git", "clone", "--quiet", "--bare", SOURCES, repository])
        roots.run(["git", "-C", repository, "tag", "--force", self.version, "HEAD"])
        client = (HERE / "Package.swift.txt").read_text()
        client = client.replace("URL", f"file://{repository}").replace("VERSION", self.version)
        (folder / "Package.swift").write_text(client)
        (folder / "Sources/client/main.swift").write_text(
            "import AacornCodec\n\nprint(AacornVersion.number)\n"
        )
        said = roots.run(["swift", "run", "--quiet", "--package-path", folder, "client"])
        if said.split()[-1] != self.version:
            raise Failure(f"A program that depends on {self.version} prints:\n{said}")
        roots.run(["rm", "-rf", folder])
        return Outcome(
            ".package(url:from:)", "this machine", self.version, 0, ["resolves", "builds"],
            f"{roots.release_of('/')}, with Swift",
        )

    def debian_package(self, recommends, system=roots.OWN):
        """Installed and removed with apt."""
        file = named(self.folder, f"aacorn_{self.version}_*.deb")
        root = self.clean("deb", system)
        root.install(root.put(file), recommends=recommends)
        trials = ALWAYS + (WITH_LIBRARIES if recommends else ["names_packages"])
        tried = self.try_out(file, root, "command", trials, version=self.version)
        for command in commands(root):
            if not list(root.path.glob(f"usr/share/man/man1/aacorn-{command}.1*")):
                raise Failure(f"{file.name} has no manual page for “{command}”.")
        root.run(["apt-get", "purge", "-y", "-q", "aacorn"])
        check_nothing_left(root, "purged")
        root.remove()
        added = "with recommended packages" if recommends else "minimal"
        return self.outcome(file, added, [*tried, "purges"], system)

    def debian_quality(self):
        """Debian's checker of packages."""
        file = named(self.folder, f"aacorn_{self.version}_*.deb")
        said = roots.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", file])
        if said.strip():
            print(said.strip(), file=sys.stderr)
        return self.outcome(file, None, ["lintian: no errors, no warnings"])

    def contents(self):
        """The content of the command's packages, and their equality."""
        said = roots.run([HERE / "contents", self.folder])
        print(said.strip(), file=sys.stderr)
        file = named(self.folder, f"aacorn_{self.version}_*.deb")
        return self.outcome(file, None, ["pages", "completions", "units", "the same as tarball and RPM"])

    def rpm_package(self):
        """The package contains the program of the tarball; installed and removed with rpm.

        The system is Debian, so the package's dependencies are not available as RPM packages.
        """
        file = named(self.folder, f"aacorn-{self.version}-*.rpm")
        tarball = named(self.folder, f"aacorn-{self.version}-linux-*.tar.gz")
        compare = (
            'test "$(rpm2cpio "$1" | cpio --quiet -i --to-stdout ./usr/bin/aacorn | sha256sum)" ='
            ' "$(tar xzf "$2" -O --wildcards "*/bin/aacorn" | sha256sum)"'
        )
        roots.run(["bash", "-o", "pipefail", "-ec", compare, "sh", file, tarball])
        root = self.clean("rpm")
        rpm = ["rpm", "--root", root.path.resolve()]
        roots.run([*rpm, "--nodeps", "--install", file.resolve()])
        # The installed files match the package.
        roots.run([*rpm, "--nodeps", "--verify", "aacorn"])
        tried = self.try_out(file, root, "command", ALWAYS, version=self.version)
        roots.run([*rpm, "--nodeps", "--erase", "aacorn"])
        check_nothing_left(root, "erased")
        root.remove()
        return self.outcome(file, "by rpm", ["the program of the tarball", *tried, "erases"])

    def tarball(self):
        """Unpacked, with the system's libraries."""
        file = named(self.folder, f"aacorn-{self.version}-linux-*.tar.gz")
        root = self.clean("tarball")
        root.install("libcurl4", "libsndfile1")
        root.run(["tar", "xzf", root.put(file), "-C", "/trial"])
        program = f"/trial/aacorn-{self.version}-linux/bin/aacorn"
        tried = self.try_out(
            file, root, "command", ALWAYS + WITH_LIBRARIES, version=self.version, command=program
        )
        root.remove()
        return self.outcome(file, "and three libraries", tried)

    def image(self):
        """Unpacked by a tool for images; nothing else is installed."""
        check_containerfile()
        file = named(self.folder, f"aacorn-{self.version}-image-*.tar")
        layout, bundle = roots.FOLDER / "trial-layout", roots.FOLDER / "trial-image"
        for folder in (layout, bundle):
            roots.run(["rm", "-rf", folder])
        layout.mkdir()
        roots.run(["tar", "xf", file, "-C", layout])
        roots.run(["umoci", "unpack", "--image", f"{layout}:{self.version}", bundle])
        process = json.loads((bundle / "config.json").read_text())["process"]
        if process["args"] != ["/usr/bin/aacorn", "--help"] or process["user"]["uid"] != roots.USER:
            raise Failure(f"The image runs {process['args']} as {process['user']}.")
        if process["cwd"] != "/data" or (bundle / "rootfs/data").stat().st_uid != roots.USER:
            raise Failure("The image does not start in a folder where its user can write.")
        root = roots.Root(bundle / "rootfs")
        root.make_trial_folder()
        tried = self.try_out(file, root, "command", ALWAYS + WITH_LIBRARIES, version=self.version)
        outcome = self.outcome(file, "nothing else", tried, root=root)
        for folder in (layout, bundle):
            roots.run(["rm", "-rf", folder])
        return outcome

    def c_library(self):
        """The examples, compiled as the guide says, and run."""
        file = named(self.folder, f"aacorn-c-{self.version}-linux-{platform.machine()}.tar.gz")
        root = self.clean("c")
        root.install("g++", "pkgconf")
        root.run(["tar", "xzf", root.put(file), "-C", "/trial"])
        tried = self.try_out(
            file, root, "library", ["compiles", "encodes", "decodes"], version=self.version,
            folder=f"/trial/aacorn-c-{self.version}-linux",
        )
        root.remove()
        return self.outcome(file, "with gcc", tried)

    def python_wheel(self):
        """In a separate environment."""
        file = named(self.folder, f"aacorn-{self.version}-*.whl")
        root = self.clean("wheel")
        root.install("python3-venv")
        wheels = roots.FOLDER / "wheels"
        # Download on this machine, because the trial's system does not have its trusted certificates.
        roots.run(
            ["pip3", "download", "-q", "--disable-pip-version-check", "--no-deps", "-d", wheels,
             "--python-version", "3.11", "--only-binary", ":all:", "numpy>=1.24,<3"]
        )
        numpy = root.put(max(wheels.glob("numpy-*.whl")))
        wheel = root.put(file)
        root.put(HERE / "wheel_trial.py")
        root.run(["python3", "-m", "venv", "/trial/environment"])
        root.run(["/trial/environment/bin/pip", "install", "-q", "--no-index", numpy, wheel])
        tried = self.try_out(file, root, "wheel", ["encodes", "decodes"], version=self.version)
        root.remove()
        return self.outcome(file, "in a new environment", tried)

    def npm_package(self):
        """The package that Scripts/check-npm tests in browsers; installed by npm, run by the system's node.
        """
        file = named(self.folder, f"aacorn-{self.version}.tgz")
        again = roots.FOLDER / "trial-npm-package"
        roots.run(["rm", "-rf", again])
        # The last line of the output is the tarball, whatever precedes it.
        packed = roots.run([SOURCES / "Scripts/build-npm-package", again]).splitlines()[-1]
        roots.run(["cmp", file, packed])
        roots.run(["rm", "-rf", again])
        root = self.clean("npm")
        root.install("nodejs")
        root.put(HERE / "node_trial.mjs")
        roots.run(
            ["npm", "install", "--silent", "--offline", "--ignore-scripts", "--no-audit", "--no-fund",
             "--prefix", root.path / "trial", file.resolve()]
        )
        tried = self.try_out(file, root, "node", ["encodes", "decodes", "inspects"])
        root.remove()
        return self.outcome(file, "with node", tried)


def check_containerfile():
    """The packages in the Containerfile equal the packages of the image that is built without a daemon."""
    tree = ast.parse((SOURCES / "Packaging/build-image").read_text())
    wanted = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "WANTED"
    )
    # These packages are in every Debian image.
    wanted = set(wanted) - {"base-files", "libc6"}
    text = (SOURCES / "Packaging/Containerfile").read_text().replace("\\\n", " ")
    found = re.search(r"apt-get install -y --no-install-recommends ([^&]*)&&", text)
    installed = set(found[1].split()) if found else set()
    if differing := sorted(installed ^ wanted):
        raise Failure(f"Packaging/Containerfile and Packaging/build-image differ in {differing}.")


def check_nothing_left(root, done):
    """No installed file remains."""
    left = [
        path
        for folder in ("usr", "etc", "var/lib/aacorn")
        for path in (root.path / folder).rglob("*aacorn*")
        if "var/lib/dpkg" not in str(path)
    ]
    if left:
        raise Failure(f"After the package was {done}, these files remain: {left[:10]}")


def commands(root):
    """Returns the commands of the installed program."""
    said = root.run(["/usr/bin/aacorn", "--help"])
    listed = said.split("Commands:")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+)  ", listed, re.MULTILINE)
