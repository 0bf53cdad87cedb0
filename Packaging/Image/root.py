"""The files of an image, and their archive, which becomes a layer."""

import io
import subprocess
import tarfile

# The user ID that other images also use for an unprivileged user. The image has no name for it.
USER = 65532
# Folders of files that a container does not need. The licenses, in doc/*/copyright, are kept.
UNREAD = (
    "usr/share/bash-completion/", "usr/share/bug/", "usr/share/doc-base/", "usr/share/info/",
    "usr/share/lintian/", "usr/share/locale/", "usr/share/man/", "etc/init.d/", "etc/update-motd.d/",
)
# Folders that Debian replaced by links to the folders in usr.
MERGED = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
CERTIFICATES = "usr/share/ca-certificates/"


class Tree:
    """Files by path, without a leading slash."""

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
        """Adds the files of a package, and its control file for image scanners."""
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
                    # Clear setuid and setgid: the image does not have the groups of these folders.
                    self.add_folder(path, member.mode & 0o1777)
                else:
                    raise ValueError(f"{package.file} contains {path}, which is not a file")
        self.add_file(f"var/lib/dpkg/status.d/{package.name}", package.control.encode())

    def add_accounts(self):
        """Adds files that an installation would create: accounts, names, certificates."""
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
        # ALSA devices belong to the group audio, which is 29 in Debian.
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
            raise ValueError("ca-certificates has no certificates in the expected folder")
        self.add_file("etc/ssl/certs/ca-certificates.crt", bundle)

    def archive(self):
        """Returns a tar of all files, sorted by path, folders before their contents."""
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
    """Returns the path in usr for a file in one of the merged folders."""
    return f"usr/{path}" if path.split("/")[0] in MERGED else path
