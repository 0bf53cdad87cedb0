"""The files of an image, and the archive of them that is a layer."""

import io
import subprocess
import tarfile

# The number that others use as well for whoever is not the administrator, who has no name here.
USER = 65532
# Where files lie that nobody reads in a container; the licenses, in doc/*/copyright, stay.
UNREAD = (
    "usr/share/bash-completion/", "usr/share/bug/", "usr/share/doc-base/", "usr/share/info/",
    "usr/share/lintian/", "usr/share/locale/", "usr/share/man/", "etc/init.d/", "etc/update-motd.d/",
)
# Folders that are links in Debian since it has only one of each.
MERGED = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
CERTIFICATES = "usr/share/ca-certificates/"


class Tree:
    """Files by their paths, without a slash in front."""

    def __init__(self, time):
        self.time = time
        self.entries = {}

    def add(self, path, kind, mode, data=b"", target="", owner=0):
        entry = tarfile.TarInfo(path)
        entry.type, entry.mode, entry.linkname = kind, mode, target
        entry.size, entry.mtime = len(data), self.time
        entry.uid = entry.gid = owner
        if path not in self.entries or kind != tarfile.DIRTYPE:
            self.entries[path] = entry, data

    def add_folder(self, path, mode=0o755, owner=0):
        self.add(path, tarfile.DIRTYPE, mode, owner=owner)

    def add_file(self, path, data, mode=0o644):
        self.add(path, tarfile.REGTYPE, mode, data)

    def add_package(self, package):
        """What a package installs, and what a scanner of images wants to know of it."""
        packed = subprocess.run(
            ["dpkg-deb", "--fsys-tarfile", package.file], check=True, capture_output=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            for member in archive:
                path = merged(member.name.removeprefix("./").rstrip("/"))
                if not path or f"{path}/".startswith(UNREAD):
                    continue
                if path.startswith("usr/share/doc/") and not member.isdir():
                    if not path.endswith("/copyright"):
                        continue
                if member.islnk():
                    entry, data = self.entries[merged(member.linkname.removeprefix("./"))]
                    self.add(path, entry.type, entry.mode, data)
                elif member.isfile():
                    self.add_file(path, archive.extractfile(member).read(), member.mode)
                elif member.issym():
                    self.add(path, tarfile.SYMTYPE, 0o777, target=member.linkname)
                elif member.isdir():
                    # Folders of groups that the image does not have would be of strangers.
                    self.add_folder(path, member.mode & 0o1777)
                else:
                    raise ValueError(f"{package.file} contains {path}, which is no file")
        self.add_file(f"var/lib/dpkg/status.d/{package.name}", package.control.encode())

    def add_accounts(self):
        """What is configured when packages are installed: accounts, names, certificates."""
        for name in MERGED[:2] + MERGED[3:4] + MERGED[5:]:
            self.add(name, tarfile.SYMTYPE, 0o777, target=f"usr/{name}")
        self.add_folder("tmp", 0o1777)
        self.add_folder("home/nonroot", owner=USER)
        self.add_file(
            "etc/passwd",
            b"root:x:0:0:root:/root:/usr/sbin/nologin\n"
            b"nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
            b"nonroot:x:%d:%d:nonroot:/home/nonroot:/usr/sbin/nologin\n" % (USER, USER),
        )
        # Devices of ALSA belong to the group audio, 29 in Debian.
        self.add_file(
            "etc/group",
            b"root:x:0:\naudio:x:29:nonroot\nnogroup:x:65534:\nnonroot:x:%d:\n" % USER,
        )
        self.add_file("etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files dns\n")
        bundle = b"".join(
            data
            for path, (_, data) in sorted(self.entries.items())
            if path.startswith(CERTIFICATES) and path.endswith(".crt")
        )
        if b"BEGIN CERTIFICATE" not in bundle:
            raise ValueError("ca-certificates has no certificates where they are looked for")
        self.add_file("etc/ssl/certs/ca-certificates.crt", bundle)

    def archive(self):
        """A tar of everything, in the order of paths, folders before what is in them."""
        for path in list(self.entries):
            while "/" in path:
                path = path.rsplit("/", 1)[0]
                if path not in self.entries:
                    self.add_folder(path)
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for _, (entry, data) in sorted(self.entries.items()):
                archive.addfile(entry, io.BytesIO(data))
        return packed.getvalue()


def merged(path):
    """The path below usr of what packages still put elsewhere."""
    return f"usr/{path}" if path.split("/")[0] in MERGED else path
