"""The description of the machine and the encoders, stored with the results."""

import importlib.metadata
import json
import os
import platform
import re
import shlex
import subprocess

import digest

PACKAGES = ("numpy", "scipy", "zimtohrli", "visqol-python")


def note(folder, found=()):
    """Writes the properties of this machine and of these encoders to setup.json."""
    path = os.path.join(folder, "setup.json")
    setup = read(folder)
    setup["machine"] = {"processor": _processor(), "cores": os.cpu_count(), "system": _system()}
    setup.setdefault("versions", {}).update(
        {"ffmpeg": _first_line("ffmpeg", "-version"), "Python": platform.python_version()})
    for package in PACKAGES:
        try:
            setup["versions"][package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    for one in found:
        words = shlex.split(one.command)
        if os.path.basename(words[0]) == "aacorn":
            setup["versions"]["aacorn"] = _first_line(words[0], "--version")
            setup["digest"] = digest.of(words[0])
        # The program without its folder, which does not matter on other machines.
        words[0] = os.path.basename(words[0])
        setup.setdefault("encoders", {})[one.name] = {
            "title": one.title, "command": " ".join(words)}
    with open(path, "w", encoding="utf-8") as handle:
        json.dump(setup, handle, indent=1, ensure_ascii=False, sort_keys=True)


def read(folder):
    try:
        with open(os.path.join(folder, "setup.json"), encoding="utf-8") as handle:
            return json.load(handle)
    except FileNotFoundError:
        return {}


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as handle:
            found = re.search(r"model name\s*:\s*(.*)", handle.read())
    except OSError:
        found = None
    return found.group(1).strip() if found else platform.processor() or platform.machine()


def _system():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()


def _first_line(program, option):
    """Returns the first line of a program's output, up to its copyright."""
    try:
        done = subprocess.run([program, option], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    lines = done.stdout.splitlines()
    return re.split(r" [Cc]opyright", lines[0])[0] if lines else ""
