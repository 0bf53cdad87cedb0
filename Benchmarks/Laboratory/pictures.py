"""The plots of the report."""

import html
import os

import plot
import speed
import stats

EFFORT, OTHER = 600, 400    # weights of labels


class Pictures:
    """Draws a report's plots in a folder. Returns each as Markdown; empty without data."""

    def __init__(self, page, folder):
        self.page, self.folder = page, folder
        self.colors = plot.colors(page.names, page.ours.__contains__)

    def curves(self, metric):
        """A metric over the real rate, a line for each encoder."""
        page, curves = self.page, {}
        rates = [rate for channels, rate in page.kinds if channels == 2]
        for name in page.names:
            points = []
            for rate in rates:
                part = stats.part(page.rows, name, 2, rate).values()
                value = stats.mean(part, metric.column)
                if value is not None:
                    points.append((stats.mean(part, "actual_kbps"), value * metric.scale))
            if points:
                curves[name] = sorted(points)
        xs = [x for points in curves.values() for x, _ in points]
        ys = [y for points in curves.values() for _, y in points]
        if len(set(xs)) < 2:
            return ""
        sheet = plot.Plot(
            f"{metric.title} over rate", f"mean of the stereo clips; {metric.direction} is better",
            "real kb/s of stereo, without container", metric.title, xs, ys, rates,
            log_y=metric.column == "zimtohrli")
        for name in reversed(list(curves)):
            sheet.line(curves[name], self.colors[name], 3 if name == page.main else 2,
                       "5 4" if page.is_elsewhere(name) else "")
            for x, y in curves[name]:
                sheet.dot(x, y, self.colors[name], 4.5 if name in page.ours else 3.5,
                          f"{name}: {y:.3g} at {x:.1f} kb/s")
        sheet.label_ends([(*points[-1], name, self.colors[name], self._weight(name))
                          for name, points in curves.items()])
        return self._save(sheet, metric.column.split("_")[0],
                          f"{metric.title} of every encoder over its rate; "
                          f"{metric.direction} is better")

    def speeds(self, metric, speeds, base):
        """A metric over the speed, a point for each encoder and a line through our efforts."""
        page, points = self.page, {}
        for row in speeds:
            name = row["encoder"]
            values = stats.at_rate(page.rows, name, 2, float(speed.KBPS), metric.column)
            if name in page.names and values:
                points[name] = (base["user_median_s"] / row["user_median_s"],
                                sum(values.values()) / len(values) * metric.scale)
        if len(points) < 2:
            return ""
        xs, ys = zip(*points.values())
        low, high = min(*xs, 1) / 1.1, max(xs) * 1.1
        sheet = plot.Plot(
            f"Speed and {metric.title} at {speed.KBPS} kb/s",
            f"faster is to the right; {metric.direction} is better; the line joins our efforts",
            "× the speed of FFmpeg's two-loop search", metric.title, xs + (1,), ys,
            [value for value in (0.5, 1, 2, 4, 8, 16, 32, 64) if low <= value <= high])
        front = sorted(points[name] for name in page.ours if name in points)
        if len(front) > 1:
            sheet.line(front, self.colors[page.main], 2.5)
        for name, (x, y) in points.items():
            sheet.dot(x, y, self.colors[name], 6.5, f"{name}: {y:.3g}, {x:.1f} ×")
        for name, (x, y) in sorted(points.items(), key=lambda item: item[1]):
            sheet.label_dot(x, y, name, self.colors[name], self._weight(name))
        return self._save(sheet, f"speed-{metric.column}",
                          f"{metric.title} of every encoder over its speed; "
                          f"{metric.direction} is better")

    def _weight(self, name):
        return EFFORT if name in self.page.ours else OTHER

    def _save(self, sheet, name, description):
        with open(os.path.join(self.folder, f"{name}.svg"), "w", encoding="utf-8") as handle:
            handle.write(sheet.svg())
        return f"![{html.escape(description)}]({os.path.basename(self.folder)}/{name}.svg)"
