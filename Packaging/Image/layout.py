"""Writes an image as a tar of the OCI image layout (OCI Image Format 1.0)."""

import gzip
import hashlib
import io
import json
import tarfile
from datetime import datetime, timezone

TYPE = "application/vnd.oci.image."


class Layout:
    """The files of a layout: an index, and blobs named by the hash of their content."""

    def __init__(self):
        self.files = {}

    def add(self, kind, data):
        """Adds a blob and returns its descriptor."""
        sum = hashlib.sha256(data).hexdigest()
        self.files[f"blobs/sha256/{sum}"] = data
        return {"mediaType": TYPE + kind, "digest": f"sha256:{sum}", "size": len(data)}

    def write(self, path, time):
        with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
            for folder in ("blobs", "blobs/sha256"):
                entry = tarfile.TarInfo(folder)
                entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, time
                archive.addfile(entry)
            for name, data in sorted(self.files.items()):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mtime = len(data), time
                archive.addfile(entry, io.BytesIO(data))


def blob(descriptor):
    """Returns the path of a blob."""
    return "blobs/" + descriptor["digest"].replace(":", "/")


def json_bytes(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def write(path, layers, version, architecture, user, time):
    """Writes an image of layers, each a tar and its history entry."""
    created = datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    labels = {
        "org.opencontainers.image.created": created,
        "org.opencontainers.image.description": "Records, encodes and streams AAC",
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.title": "aacorn",
        "org.opencontainers.image.version": version,
    }
    layout = Layout()
    packed = [gzip.compress(data, 9, mtime=0) for data, _ in layers]
    config = layout.add(
        "config.v1+json",
        json_bytes(
            {
                "architecture": architecture,
                "os": "linux",
                "created": created,
                "config": {
                    "Entrypoint": ["/usr/bin/aacorn"],
                    "Cmd": ["--help"],
                    "User": f"{user}:{user}",
                    "WorkingDir": "/data",
                    "StopSignal": "SIGTERM",
                    "Env": ["PATH=/usr/bin", "LANG=C.UTF-8", "HOME=/home/nonroot"],
                    "Labels": labels,
                },
                "rootfs": {
                    "type": "layers",
                    "diff_ids": [f"sha256:{hashlib.sha256(data).hexdigest()}" for data, _ in layers],
                },
                "history": [{"created": created, "created_by": origin} for _, origin in layers],
            }
        ),
    )
    stored = [layout.add("layer.v1.tar+gzip", data) for data in packed]
    manifest = layout.add(
        "manifest.v1+json",
        json_bytes(
            {
                "schemaVersion": 2,
                "mediaType": TYPE + "manifest.v1+json",
                "config": config,
                "layers": stored,
                "annotations": labels,
            }
        ),
    )
    # Tools that read layouts use the first name; containerd uses the second on import.
    manifest["annotations"] = {
        "org.opencontainers.image.ref.name": version,
        "io.containerd.image.name": f"localhost/aacorn:{version}",
    }
    manifest["platform"] = {"architecture": architecture, "os": "linux"}
    layout.files["index.json"] = json_bytes(
        {"schemaVersion": 2, "mediaType": TYPE + "index.v1+json", "manifests": [manifest]}
    )
    # docker reads this file first, and some releases read only this file.
    layout.files["manifest.json"] = json_bytes(
        [
            {
                "Config": blob(config),
                "RepoTags": [f"localhost/aacorn:{version}"],
                "Layers": [blob(layer) for layer in stored],
            }
        ]
    )
    layout.files["oci-layout"] = json_bytes({"imageLayoutVersion": "1.0.0"})
    layout.write(path, time)
