"""Documentation/Performance.md and its plots, from the stored measurements."""

import os

import ablation
import encoders
import metrics
import results
import speed
import stats
import surroundings
import vbr
from errors import LabError
from pictures import Pictures
from wording import (ABLATION, DECODING, DIFFERENCES, DIGEST, ELSEWHERE, INTRODUCTION, MODELS,
                     REPLICATION, REPRODUCTION, TABLES, VARIABLE, WAYS_IN, WORST)

PLOTTED = ("odg", "nmr_mean_db", "zimtohrli", "visqol")


def write(folder, target, label):
    """Writes Performance.md and a folder of SVGs into `target`."""
    rows = results.usable(results.read(os.path.join(folder, "measurements.csv")).values())
    if not any(_is_ours(row["encoder"], label) for row in rows):
        raise LabError(f"{folder} has no measurements of {label}; begin with “lab measure”.")
    pictures = os.path.join(target, "Performance")
    os.makedirs(pictures, exist_ok=True)
    text = Report(rows, folder, pictures, label).text()
    with open(os.path.join(target, "Performance.md"), "w", encoding="utf-8") as handle:
        handle.write(text)


def _is_ours(name, label):
    return name.startswith(label + "-")


class Report:
    """Returns the parts of the page in order."""

    def __init__(self, rows, folder, pictures, label):
        self.rows, self.folder = rows, folder
        self.setup, self.titles = surroundings.read(folder), encoders.titles()
        found = {row["encoder"] for row in rows}
        efforts = [f"{label}-{effort}" for effort in ("best", "balanced", "fast")]
        self.ours = [name for name in efforts if name in found]
        self.main = f"{label}-balanced" if f"{label}-balanced" in found else self.ours[0]
        self.others = sorted(found - set(self.ours))
        self.names = self.ours + self.others
        self.metrics = [metric for metric in metrics.METRICS
                        if any(metric.column in row for row in rows)]
        self.speeds = speed.read(os.path.join(folder, "speed.csv"))
        self.kinds = [(channels, rate) for channels in (2, 1) for rate in sorted(
            {row["nominal_kbps"] for row in rows if row["channels"] == channels})]
        self.sheets = Pictures(self, pictures)

    def text(self):
        parts = [self._introduction(), self._curves(), self._differences(), self._worst(),
                 self._tables(), self._speed(), self._vbr(), self._ablation(), REPLICATION, DECODING,
                 WAYS_IN, REPRODUCTION]
        return "\n\n".join(part for part in parts if part) + "\n"

    # The measured encoders and clips.

    def _introduction(self):
        clips = {row["clip"]: row for row in self.rows}.values()
        machine, versions = self.setup.get("machine", {}), self.setup.get("versions", {})
        lines = ["# Performance", "",
                 INTRODUCTION, "",
                 " and ".join(f"{count} {kind}" for kind, count in (
                     ("stereo", sum(row["channels"] == 2 for row in clips)),
                     ("mono", sum(row["channels"] == 1 for row in clips))) if count)
                 + f" clips, {sum(row['seconds'] for row in clips):.0f} seconds, "
                 f"at {_listed(sorted({row['rate'] for row in clips}))} Hz"
                 + self._classes(clips) + "."]
        if machine:
            lines += ["", f"Measured on {machine['processor']}, {machine['cores']} cores, "
                      f"{machine['system']}; "
                      + ", ".join(value if value.startswith(name) else f"{name} {value}"
                                  for name, value in versions.items() if value) + "."]
        if "digest" in self.setup:
            lines += ["", DIGEST.format(digest=self.setup["digest"])]
        lines += ["", "| Encoder | Description | Command |", "|---|---|---|"]
        for name in self.names:
            entry = self.setup.get("encoders", {}).get(name, {})
            command = entry.get("command", "")
            title = entry.get("title") or self.titles.get(name, "")
            lines.append(f"| {name}{self._mark(name)} | {title} | "
                         + (f"`{command}` |" if command else " |"))
        if any(map(self.is_elsewhere, self.names)):
            lines += ["", ELSEWHERE]
        lines += ["", "| Figure | Meaning |", "|---|---|"]
        lines += [f"| {metric.title} | {metric.explained} |" for metric in self.metrics]
        lines += ["", MODELS]
        return "\n".join(lines)

    def _classes(self, clips):
        kinds = [row["class"] for row in clips if "class" in row]
        if not kinds:
            return ""
        return ": " + _listed(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))

    def is_elsewhere(self, name):
        return all(row.get("origin") == results.ELSEWHERE
                   for row in self.rows if row["encoder"] == name)

    def _mark(self, name):
        return " †" if self.is_elsewhere(name) else ""

    # Quality.

    def _curves(self):
        lines = ["## Quality by bitrate"]
        for metric in self.metrics:
            if metric.column in PLOTTED:
                picture = self.sheets.curves(metric)
                lines += ["", picture] if picture else []
        return "\n".join(lines)

    def _differences(self):
        lines = ["## Paired differences", "",
                 DIFFERENCES.format(main=self.main)]
        for channels, rate in self.kinds:
            body = []
            for name in self.names:
                if name == self.main:
                    continue
                found = [stats.difference(self.rows, self.main, name, channels, rate, metric)
                         for metric in self.metrics]
                if any(found):
                    body.append([name + self._mark(name)]
                                + [_difference(*pair) for pair in zip(found, self.metrics)]
                                + [_losing(found[0], self.metrics[0])])
            if body:
                head = ["to"] + [metric.title for metric in self.metrics] + ["loses most"]
                lines += ["", f"### {_kind(channels, rate)}", "", *_table(head, body)]
        return "\n".join(lines)

    def _worst(self):
        shown = [metric for metric in self.metrics if metric.column in ("odg", "nmr_p95_db",
                                                                        "zimtohrli")]
        body = []
        for channels, rate in self.kinds:
            part = stats.part(self.rows, self.main, channels, rate).values()
            cells = [_kind(channels, rate)]
            for metric in shown:
                have = sorted((row for row in part if metric.column in row),
                              key=lambda row: row[metric.column] * metric.better)
                cells.append(", ".join(f"{row['clip']} {metric.text(row[metric.column])}"
                                       for row in have[:4]) or "–")
            body.append(cells)
        return "\n".join(["## Worst clips", "",
                          WORST.format(main=self.main), "",
                          *_table([""] + [metric.title for metric in shown], body)])

    def _tables(self):
        lines = ["## Mean results", "",
                 TABLES]
        for channels, rate in self.kinds:
            body = []
            for name in self.names:
                part = list(stats.part(self.rows, name, channels, rate).values())
                if not part:
                    continue
                cells = [name + self._mark(name), str(len(part)),
                         f"{stats.mean(part, 'actual_kbps'):.1f}"]
                cells += [_mean_and_worst(part, metric) for metric in self.metrics]
                body.append(cells)
            head = ["", "clips", "kb/s"] + [metric.title for metric in self.metrics]
            lines += ["", f"### {_kind(channels, rate)}", "", *_table(head, body)]
        return "\n".join(lines)

    # Speed.

    def _speed(self):
        if not self.speeds:
            return ""
        base = speed.reference(self.speeds)
        body = []
        for row in sorted(self.speeds, key=lambda row: row["user_median_s"]):
            median = row["user_median_s"]
            body.append([row["encoder"], f"{row['kbps']:.1f}", f"{median:.2f}",
                         f"{row['user_min_s']:.2f}", f"{row['seconds'] / median:.0f}",
                         f"{base['user_median_s'] / median:.1f}" if base else "–",
                         f"{row['wall_median_s']:.2f}"])
        first = self.speeds[0]
        lines = ["## Speed", "",
                 f"{first['seconds'] / 60:.3g} min of stereo at {speed.KBPS} kb/s "
                 f"({first['source']}), {first['rounds']:.0f} alternating "
                 "rounds.", "",
                 *_table(["", "kb/s", "user s, median", "user s, least", "× realtime",
                          "× FFmpeg twoloop", "wall s"], body)]
        for metric in self.metrics:
            if base and metric.column in ("odg", "zimtohrli"):
                picture = self.sheets.speeds(metric, self.speeds, base)
                lines += ["", picture] if picture else []
        return "\n".join(lines)

    # Variable bitrate and tools.

    def _vbr(self):
        found = vbr.levels(list(results.read(os.path.join(self.folder, "vbr.csv")).values()))
        if not found:
            return ""
        body = []
        for one in found:
            mean, least, most = one.rates
            nominal = vbr.DOCUMENTED[one.level - 1] if one.channels == 2 else "–"
            body.append([f"{'stereo' if one.channels == 2 else 'mono'} {one.level}",
                         str(nominal), f"{mean:.1f} ({least:.0f}–{most:.0f})",
                         _pair(one.nmr, 1), _pair(one.spread, 2), _pair(one.natural, 2),
                         _pair(one.odg, 2),
                         " / ".join(f"{clip} {_minus(f'{v:.2f}')}" for v, clip in one.worst)])
        return "\n".join([
            "## Variable bitrate", "",
            VARIABLE, "",
            *_table(["level", "nominal", "kb/s, mean (range)", "NMR dB", "spread of NMR, dB",
                     "without synthetic clips", "ODG", "worst ODG"], body)])

    def _ablation(self):
        rows = list(results.read(os.path.join(self.folder, "ablation.csv")).values())
        if not rows:
            return ""
        lines = ["## Effect of each tool", "",
                 ABLATION]
        for channels, rate in [(c, r) for c in (2, 1) for r in sorted(
                {row["nominal_kbps"] for row in rows if row["channels"] == c})]:
            shown, table = ablation.differences(rows, channels, rate)
            body = []
            for name, time, found in table:
                body.append([name] + [_difference(found[metric.column], metric, -1)
                                      for metric in shown]
                            + [f"{time:.2f}", _losing(found.get("odg"), shown[0])])
            head = [""] + [metric.title for metric in shown] + ["time", "loses most"]
            lines += ["", f"### {_kind(channels, rate)}", "", *_table(head, body)]
        return "\n".join(lines)


def _kind(channels, rate):
    return f"{'Stereo' if channels == 2 else 'Mono'}, {rate:g} kb/s"


def _listed(things):
    things = [str(thing) for thing in things]
    return " and ".join(filter(None, [", ".join(things[:-1]), things[-1]]))


def _minus(text):
    return text.replace("-", "−")


def _pair(values, digits):
    return " / ".join(_minus(f"{value:.{digits}f}") for value in values)


def _mean_and_worst(part, metric):
    have = [row for row in part if metric.column in row]
    if not have:
        return "–"
    worst = min(have, key=lambda row: row[metric.column] * metric.better)
    return (f"{metric.text(stats.mean(have, metric.column))} "
            f"({metric.text(worst[metric.column])} {worst['clip']})")


def _difference(found, metric, favor=1):
    """Formats a difference: bold if significantly better, slanted if significantly worse."""
    if found is None:
        return "–"
    text = stats.difference_text(found, metric)
    if not found.is_sure:
        return text
    return f"**{text}**" if found.mean * metric.better * favor > 0 else f"*{text}*"


def _losing(found, metric):
    """Returns the clips with the worst difference."""
    if found is None:
        return "–"
    return ", ".join(f"{clip} {metric.text(value, '+')}" for value, clip in found.clips[:2])


def _table(head, body):
    return ["| " + " | ".join(head) + " |", "|" + "---|" + "---:|" * (len(head) - 1)] + [
        "| " + " | ".join(row) + " |" for row in body]
