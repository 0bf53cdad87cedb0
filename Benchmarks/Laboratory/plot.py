"""Plots as SVG: lines and points on a white card that is readable on light and dark pages."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 860, 500
LEFT, TOP, RIGHT, BOTTOM = 74, 66, 690, 438
OURS = ("#0b6e4f", "#19a974", "#7a9a01")
OTHERS = ("#c8501e", "#3a5fcd", "#8a4fbf", "#b08900", "#c2185b", "#5d6d7e", "#00838f", "#795548")
LABEL, LETTER = 14, 7.4     # size of a label, and about the width of a letter in it


class Axis:
    """Values to positions, with a margin at both ends."""

    def __init__(self, values, low, high, logarithmic=False):
        self.logarithmic = logarithmic
        values = [self._scaled(value) for value in values]
        margin = 0.06 * (max(values) - min(values)) or 0.5
        self.start, self.end = min(values) - margin, max(values) + margin
        self.low, self.high = low, high

    def __call__(self, value):
        share = (self._scaled(value) - self.start) / (self.end - self.start)
        return self.low + share * (self.high - self.low)

    def _scaled(self, value):
        return math.log2(max(value, 1e-9)) if self.logarithmic else value

    def ticks(self):
        """Round values inside the axis."""
        if not self.logarithmic:
            return ticks(self.start, self.end)
        candidates = [m * 10.0 ** power for power in range(-6, 6) for m in (1, 2, 5)]
        return [value for value in candidates if self.start <= math.log2(value) <= self.end]


class Plot:
    """Axes, and the curves and points between them."""

    def __init__(self, title, subtitle, x_title, y_title, xs, ys, x_ticks, log_y=False):
        self.x, self.y = Axis(xs, LEFT, RIGHT, True), Axis(ys, BOTTOM, TOP, log_y)
        self.parts, self.dots, self.labels = [], [], []
        self._text(LEFT, 28, title, 19, weight=600)
        self._text(LEFT, 49, subtitle, LABEL, color="#555")
        self._text((LEFT + RIGHT) / 2, HEIGHT - 15, x_title, LABEL, anchor="middle")
        self.parts.append(f'<text transform="translate(21 {(TOP + BOTTOM) / 2:.0f}) rotate(-90)" '
                          f'font-size="{LABEL}" text-anchor="middle" fill="#222">'
                          f'{escape(y_title)}</text>')
        for value in self.y.ticks():
            self._segment(LEFT, self.y(value), RIGHT, self.y(value), "#e3e3e3")
            self._text(LEFT - 9, self.y(value) + 4.5, number(value), 13, "end", "#444")
        self._segment(LEFT, BOTTOM, RIGHT, BOTTOM, "#888")
        for value in x_ticks:
            self._segment(self.x(value), BOTTOM, self.x(value), BOTTOM + 5, "#888")
            self._text(self.x(value), BOTTOM + 21, number(value), 13, "middle", "#444")

    def line(self, points, color, width=2.0, dash=""):
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" '
                          f'stroke-width="{width}" stroke-linejoin="round"{dash}/>')

    def dot(self, x, y, color, radius, tip):
        x, y = self.x(x), self.y(y)
        self.dots.append((x, y, radius))
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{color}" '
                          f'stroke="#fff" stroke-width="1.2"><title>{escape(tip)}</title></circle>')

    def label_ends(self, ends):
        """Labels of curves in a column at the right; `ends` are (x, y, text, color, weight)."""
        places = apart([self.y(end[1]) for end in ends], LABEL + 4, TOP, BOTTOM)
        for (x, y, text, color, weight), place in zip(ends, places):
            self._segment(self.x(x) + 6, self.y(y), RIGHT + 10, place, color, 0.5)
            self._text(RIGHT + 14, place + 5, text, LABEL, color=color, weight=weight)

    def label_dot(self, x, y, text, color, weight):
        """Draws a label next to a dot, where it covers no other dot and no other label."""
        x, y = self.x(x), self.y(y)
        width = LETTER * (1.1 if weight > 400 else 1) * len(text)
        places = [(x + 12, y + 5), (x - 12 - width, y + 5), (x - width / 2, y - 14),
                  (x - width / 2, y + 23), (x + 8, y - 12), (x + 8, y + 21),
                  (x - width / 2, y - 32), (x - width / 2, y + 41)]
        left, base = next((place for place in places if self._is_free(*place, width)), places[0])
        self.labels.append((left, base - LABEL, left + width, base + 3))
        self._text(left, base, text, LABEL, color=color, weight=weight)

    def svg(self):
        font = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                f'width="{WIDTH}" height="{HEIGHT}" font-family="{font}">\n'
                f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="10" '
                f'fill="#fff" stroke="#d5d5d5"/>\n' + "\n".join(self.parts) + "\n</svg>\n")

    def _is_free(self, left, base, width):
        top, right, bottom = base - LABEL, left + width, base + 3
        if left < LEFT or right > WIDTH - 8 or top < TOP - LABEL or bottom > BOTTOM:
            return False
        return not (any(left < x + r and right > x - r and top < y + r and bottom > y - r
                        for x, y, r in self.dots)
                    or any(left < b[2] and right > b[0] and top < b[3] and bottom > b[1]
                           for b in self.labels))

    def _segment(self, x1, y1, x2, y2, color, opacity=1):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                          f'stroke="{color}" stroke-opacity="{opacity}"/>')

    def _text(self, x, y, text, size, anchor="start", color="#222", weight=400):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" '
                          f'font-weight="{weight}" text-anchor="{anchor}" fill="{color}">'
                          f'{escape(text)}</text>')


def ticks(low, high, count=6):
    """Returns about `count` round values between two limits."""
    raw = (high - low) / count
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= raw * 0.999)
    first = math.ceil(low / step)
    return [round((first + i) * step, 10) for i in range(math.floor(high / step) - first + 1)]


def number(value):
    return f"{value:g}".replace("-", "−")


def apart(wanted, step, low, high):
    """Returns positions near the requested ones, a step apart, within the limits if possible."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    placed = []
    for index in order:
        placed.append(max(wanted[index], placed[-1] + step if placed else low))
    # Move positions beyond the limit back, and the others with them.
    limit = high
    for index in reversed(range(len(placed))):
        placed[index] = min(placed[index], limit)
        limit = placed[index] - step
    result = [0.0] * len(wanted)
    for index, value in zip(order, placed):
        result[index] = value
    return result


def colors(names, is_ours):
    """Returns a color for each name: greens for our encoders, other hues for the others."""
    palettes = {True: OURS, False: OTHERS}
    counts, found = {True: 0, False: 0}, {}
    for name in names:
        ours = bool(is_ours(name))
        found[name] = palettes[ours][counts[ours] % len(palettes[ours])]
        counts[ours] += 1
    return found
