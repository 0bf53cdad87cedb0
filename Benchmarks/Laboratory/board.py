"""The table of results for a terminal."""

import metrics
import results
import stats

COLUMNS = ("odg", "nmr_mean_db", "zimtohrli", "visqol")


def text(rows, against, only=None, clips=None):
    """Returns means per rate over the clips, and the difference of each encoder to one encoder.

    `only` selects the encoders; metrics without figures for these encoders are omitted.
    """
    rows = results.usable(rows)
    names = sorted({row["encoder"] for row in rows if not only or only(row["encoder"])})
    subjects = [row for row in rows if row["encoder"] in names and row["encoder"] != against]
    shown = [metric for metric in map(metrics.BY_COLUMN.get, COLUMNS)
             if any(metric.column in row for row in subjects or rows)]
    kinds = sorted({(-row["channels"], row["nominal_kbps"]) for row in subjects or rows})
    blocks = [_block(rows, names, against, clips, shown, -channels, rate)
              for channels, rate in kinds]
    return "\n\n".join(block for block in blocks if block)


def _block(rows, names, against, clips, shown, channels, rate):
    title = f"{'stereo' if channels == 2 else 'mono'} {rate:g}"
    lines = [f"{title:<20}{'clips':>6}{'kb/s':>8}{'ms/s':>7}"
             + "".join(f"{_short(metric):>11}" for metric in shown)
             + "".join(f"{'Δ' + _short(metric) + ' [95 %]':>25}" for metric in shown)
             + (f"   worst Δ{_short(shown[0])}; all Δ to {against}" if shown else "")]
    for name in names:
        part = [row for clip, row in stats.part(rows, name, channels, rate).items()
                if not clips or clip in clips]
        if not part:
            continue
        user, seconds = stats.mean(part, "user_s"), stats.mean(part, "seconds")
        line = f"{name:<20}{len(part):>6}{stats.mean(part, 'actual_kbps'):>8.2f}"
        line += f"{1000 * user / seconds:>7.2f}" if user else f"{'-':>7}"
        for metric in shown:
            value = stats.mean(part, metric.column)
            line += f"{'-' if value is None else metric.text(value):>11}"
        found = [None if name == against else
                 stats.difference(rows, name, against, channels, rate, metric, clips)
                 for metric in shown]
        for one, metric in zip(found, shown):
            line += f"{stats.difference_text(one, metric):>25}"
        if found and found[0]:
            line += "   " + ", ".join(f"{clip} {shown[0].text(value, '+')}"
                                      for value, clip in found[0].clips[:2])
        lines.append(line + _halves(rows, name, against, channels, rate, shown, clips))
    return "\n".join(lines) if len(lines) > 1 else ""


def _halves(rows, name, against, channels, rate, shown, clips):
    """Returns the first differences in each half of the clips, and the noise of the starts."""
    found = stats.part(rows, name, channels, rate)
    parts = {half: {clip for clip, row in found.items()
                    if row.get("half") == half and (not clips or clip in clips)} for half in "ab"}
    text = ""
    if name != against and all(parts.values()):
        for half, part in parts.items():
            values = [stats.difference(rows, name, against, channels, rate, metric, part)
                      for metric in shown[:2]]
            text += f"   half {half} " + " ".join(
                metric.text(value.mean, "+") for value, metric in zip(values, shown) if value)
    start = stats.mean([row for clip, row in found.items() if not clips or clip in clips],
                       "start_nmr_db")
    return text + (f"   start {start:.1f} dB" if start is not None else "")


def _short(metric):
    """Returns the title without its unit; Zimtohrli is in thousandths everywhere."""
    return metric.title.split()[0]
