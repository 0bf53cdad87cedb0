"""Encodes, decodes and measures."""

import dataclasses
import math
import multiprocessing
import os
import sys
import tempfile

import encoders
import metrics
import results
from clips import Clip
from encoders import Encoder
from errors import LabError

TOLERANCE = 0.005       # of the mean rate, relative
ATTEMPTS = 5            # to meet it
HERE = "here"


@dataclasses.dataclass(frozen=True)
class Group:
    """Encodes that must meet a mean rate: one encoder, all clips with the same channel count."""

    encoder: Encoder
    nominal: float
    clips: tuple

    @property
    def title(self):
        kind = "mono" if self.clips[0].channels == 1 else "stereo"
        return f"{self.encoder.name}, {kind}, {self.nominal:g}"


@dataclasses.dataclass(frozen=True)
class Encode:
    """One file of an encoder."""

    clip: Clip
    path: str
    requested: float
    actual: float
    user: float
    wall: float


def groups(found, clips, rates, mono_rates):
    """Returns a group for each encoder, rate and number of channels."""
    kinds = [(tuple(clip for clip in clips if clip.channels == 2), rates),
             (tuple(clip for clip in clips if clip.channels == 1), mono_rates)]
    return [Group(encoder, rate, part)
            for encoder in found for part, wanted in kinds if part for rate in wanted]


def workers(jobs, tools):
    """Returns a pool of processes that have loaded the models of the metrics."""
    return multiprocessing.Pool(jobs, metrics.load, (tools,))


def run(wanted, path, tools, pool, again=False):
    """Measures the groups that the CSV file does not contain; returns all its rows and problems."""
    known, problems = results.read(path), []
    fingerprints = {group.encoder: group.encoder.fingerprint for group in wanted}
    for count, group in enumerate(wanted, 1):
        print(f"{count}/{len(wanted)}  {group.title}", end=": ", file=sys.stderr, flush=True)
        fingerprint = fingerprints[group.encoder]
        old = _reusable(group, known, fingerprint)
        lacking = [clip for clip in group.clips if _lacking(old.get(clip.name), tools)]
        if not lacking and not again:
            print("known", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory(prefix="laboratory-") as folder:
            try:
                encodes = encode_all(group, folder, pool, old)
            except LabError as error:
                print("failed", file=sys.stderr)
                problems.append(str(error))
                continue
            rows = []
            jobs = _jobs(encodes, {} if again else old, tools)
            for row, problem in pool.imap_unordered(_measure, jobs):
                print(".", end="", file=sys.stderr, flush=True)
                if problem:
                    problems.append(f"{group.title}: {problem}")
                else:
                    row.update(encoder=group.encoder.name, nominal_kbps=float(group.nominal),
                               origin=HERE, fingerprint=fingerprint)
                    rows.append(row)
        known = results.merge(path, rows)
        mean = sum(encode.actual for encode in encodes) / len(encodes)
        print(f" {len(rows)} measured, {mean:.2f} kb/s", file=sys.stderr)
    return known, problems


def _reusable(group, known, fingerprint):
    """Returns rows of the same program at this rate, by clip, including unselected clips.

    Rows of a clip with another lead are not comparable.
    """
    leads = {clip.name: clip.lead for clip in group.clips}
    return {row["clip"]: row for row in known.values()
            if (row["encoder"], row["nominal_kbps"]) == (group.encoder.name, group.nominal)
            and row.get("channels") == group.clips[0].channels
            and row.get("origin") == HERE and row.get("fingerprint") == fingerprint
            and leads.get(row["clip"]) in (None, row.get("lead", 0.0))}


def _jobs(encodes, old, tools):
    """Returns the remaining measurements: the file, the tools, and the known figures."""
    jobs = []
    for encode in encodes:
        before = old.get(encode.clip.name)
        # A row with another requested rate belongs to another encode.
        if before and abs(before["requested_kbps"] / encode.requested - 1) > 1e-5:
            before = None
        todo = _lacking(before, tools)
        if todo:
            jobs.append((encode, todo, before or {}))
    return jobs


def _lacking(row, tools):
    """Returns the tools with missing figures in the row."""
    if row is None:
        return tuple(tools) or ("rate",)
    return tuple(tool for tool in tools
                 if any(column not in row for column in metrics.TOOLS[tool][0]))


def encode_all(group, folder, pool, old):
    """Encodes a group at a requested rate for which the mean real rate equals the nominal rate."""
    asked = [row["requested_kbps"] for row in old.values()]
    ask = max(asked, key=asked.count) if asked else group.nominal
    # The mean rate of a part of the clips may differ from the mean of all clips.
    is_part = bool(set(old) - {clip.name for clip in group.clips})
    tried = []
    while True:
        jobs = [(group.encoder, clip, ask, os.path.join(folder, f"{len(tried)}-{clip.name}"))
                for clip in group.clips]
        encodes = pool.map(_encode, jobs, chunksize=1)
        mean = sum(encode.actual for encode in encodes) / len(encodes)
        tried.append((abs(mean / group.nominal - 1), ask, mean, encodes))
        if (group.encoder.exact or is_part or tried[-1][0] <= TOLERANCE
                or len(tried) == ATTEMPTS):
            return min(tried, key=lambda item: item[0])[3]
        ask = next_request(group.nominal, [(ask, mean) for _, ask, mean, _ in tried])


def next_request(nominal, tried):
    """Returns the next rate to request after these (request, real rate): a secant in logarithms.

    The first step is proportional to the error. Requests stay within a factor of three.
    """
    ask, mean = tried[-1]
    slope = 1.0
    if len(tried) > 1:
        before, rate = tried[-2]
        if before != ask and rate != mean:
            slope = math.log(mean / rate) / math.log(ask / before)
            slope = min(max(slope, 0.3), 3.0)
    ask *= (nominal / mean) ** (1 / slope)
    return round(min(max(ask, nominal / 3), nominal * 3), 3)


def _encode(job):
    encoder, clip, ask, stem = job
    target = f"{stem}.{encoder.extension}"
    code, user, wall, text = encoders.run_timed(encoder.arguments(clip.path, target, ask))
    if code != 0 or not os.path.exists(target) or os.path.getsize(target) == 0:
        raise LabError(f"{encoder.name} failed on {clip.name} at {ask:g} kb/s with exit code "
                       f"{code}: {text or 'it wrote nothing'}")
    actual = encoders.payload_bytes(target) * 8 / clip.seconds / 1000
    return Encode(clip, target, float(ask), actual, user, wall)


def _measure(job):
    """Returns a row of figures for one file, and its problems."""
    encode, tools, before = job
    clip = encode.clip
    row = {"clip": clip.name, "class": clip.kind, "half": clip.half, "lead": clip.lead,
           "channels": clip.channels, "rate": clip.rate, "seconds": clip.seconds,
           "requested_kbps": encode.requested, "actual_kbps": encode.actual,
           "user_s": encode.user, "wall_s": encode.wall}
    tools = [tool for tool in tools if tool in metrics.TOOLS]
    if tools:
        decoded = encode.path + ".wav"
        code, _, _, text = encoders.run_timed(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", encode.path, "-c:a", "pcm_s16le",
             "-bitexact", decoded])
        if code != 0:
            return None, f"ffmpeg cannot decode {clip.name}: {text}"
        try:
            row = before | row | metrics.measure(clip.path, decoded, tools, clip.lead)
        except ValueError as error:
            return None, f"{clip.name} cannot be measured: {error}."
        finally:
            os.unlink(decoded)
    return row, None
