"""The contribution of each coding tool: our encoder without one tool at a time."""

import shlex
import subprocess

import metrics
import stats
from encoders import Encoder

ALL = "all tools"


def encoders(bench, effort):
    """Returns the full encoder, and one encoder without each tool of the benchmark program."""
    command = f"{shlex.quote(bench)} encode {{in}} {{out}} --rate {{bps}} --effort {effort}"
    done = subprocess.run([bench, "tools"], capture_output=True, text=True, check=True)
    return [Encoder(ALL, command, exact=True)] + [
        Encoder(f"without {name}", f"{command} --without {name}", exact=True)
        for name in done.stdout.split()]


def differences(rows, channels, rate):
    """Returns for each disabled tool its differences by metric, and the ratio of user time."""
    shown = [metric for metric in metrics.METRICS if any(metric.column in row for row in rows)]
    full = stats.part(rows, ALL, channels, rate)
    table = []
    for name in sorted({row["encoder"] for row in rows} - {ALL}):
        part = stats.part(rows, name, channels, rate)
        common = [clip for clip in part if clip in full]
        if not common:
            continue
        time = (sum(part[clip]["user_s"] for clip in common)
                / max(sum(full[clip]["user_s"] for clip in common), 1e-9))
        table.append((name, time, {
            metric.column: stats.difference(rows, name, ALL, channels, rate, metric)
            for metric in shown}))
    return shown, table


def text(rows):
    """Returns a table for a terminal."""
    lines = []
    for channels, rate in sorted({(row["channels"], row["nominal_kbps"]) for row in rows}):
        shown, table = differences(rows, channels, rate)
        kind = "stereo" if channels == 2 else "mono"
        lines.append(f"{kind + f' {rate:g}, less all tools':<30}{'x time':>8}" + "".join(
            f"{'Δ' + metric.title.split()[0]:>25}" for metric in shown) + "   worst")
        for name, time, found in table:
            line = f"{name:<30}{time:>8.2f}"
            for metric in shown:
                line += f"{stats.difference_text(found[metric.column], metric):>25}"
            first = found.get("odg")
            if first:
                line += f"   {first.clips[0][1]} {metrics.BY_COLUMN['odg'].text(first.clips[0][0])}"
            lines.append(line)
        lines.append("")
    return "\n".join(lines)
