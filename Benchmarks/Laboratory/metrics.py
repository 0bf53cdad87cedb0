"""The metrics: differences between a decoded signal and its reference."""

import dataclasses
import importlib.util

import numpy as np

import peaq
from errors import LabError


@dataclasses.dataclass(frozen=True)
class Metric:
    """A column of figures, and its interpretation."""

    column: str
    title: str
    better: int             # 1 if higher is better, -1 if lower
    digits: int
    scale: float = 1.0      # what is printed is this many times the figure
    explained: str = ""

    @property
    def direction(self):
        return "higher" if self.better > 0 else "lower"

    def text(self, value, sign=""):
        return f"{value * self.scale:{sign}.{self.digits}f}".replace("-", "−")


METRICS = [
    Metric("odg", "ODG", 1, 2,
           explained="PEAQ Basic (BS.1387): 0 imperceptible, −4 very annoying"),
    Metric("score_2f", "2f", 1, 1, explained="2f-model, 0 to 100, from two variables of PEAQ"),
    Metric("nmr_mean_db", "NMR dB", -1, 2,
           explained="noise-to-mask ratio, mean of the audible frames; lower is better"),
    Metric("nmr_p95_db", "NMR p95 dB", -1, 2, explained="its 95th percentile: the worst moments"),
    Metric("zimtohrli", "Zimtohrli ×10⁻³", -1, 3, 1000.0,
           explained="perceptual distance, root mean square of the channels; lower is better"),
    Metric("visqol", "ViSQOL", 1, 3,
           explained="MOS-LQO, audio mode, of the mean of the channels; mostly bandwidth"),
]
BY_COLUMN = {metric.column: metric for metric in METRICS}

# The values of --metrics: the columns that each fills, and the module that it needs.
TOOLS = {
    "peaq": (("odg", "score_2f", "nmr_mean_db", "nmr_p95_db", "bandwidth_hz"), "scipy", "scipy"),
    "zimtohrli": (("zimtohrli",), "zimtohrli", "zimtohrli"),
    "visqol": (("visqol",), "visqol", "visqol-python"),
}

_models = {}


def check(tools):
    """Reports missing modules before the first measurement."""
    for tool in tools:
        if tool not in TOOLS:
            raise LabError(f"There is no metric {tool}; there are {', '.join(TOOLS)}.")
        _, module, package = TOOLS[tool]
        if importlib.util.find_spec(module) is None:
            raise LabError(f"The Python module {module} is missing. Install it with "
                           f"“pip install {package}”, or leave {tool} out of --metrics.")


def columns(tools):
    return [column for tool in tools for column in TOOLS[tool][0]]


def load(tools):
    """Loads the models once for this process."""
    if "zimtohrli" in tools:
        import zimtohrli
        _models["zimtohrli"] = zimtohrli.Pyohrli()
    if "visqol" in tools:
        from visqol import VisqolApi
        _models["visqol"] = VisqolApi()
        _models["visqol"].create(mode="audio")


def measure(reference, decoded, tools, lead=0.0):
    """Returns the columns of the tools for two WAV files.

    The first `lead` seconds count only for the noise of the start: encoders begin without a past.
    """
    ref, rate = peaq.read_audio(reference)
    test, test_rate = peaq.read_audio(decoded)
    test = peaq.match_channels(ref, test)
    if test_rate != rate:
        ref, test = peaq.resample(ref, rate), peaq.resample(test, test_rate)
        rate = peaq.FS
    delay = peaq.find_delay(ref, test)
    found = {"delay": delay}
    ref, test = peaq._overlap(ref, test, delay)
    border = round(lead * rate)
    if "peaq" in tools:
        result = peaq.measure(ref[border:], rate, test[border:], rate, align=False)
        found.update({key: result[key] for key in TOOLS["peaq"][0] if key in result})
        found["bandwidth_hz"] = result["bandwidth_test_hz"]
        if border:
            start = peaq.measure(ref[:border], rate, test[:border], rate, align=False)
            found["start_nmr_db"] = start["nmr_mean_db"]
    ref, test = ref[border:], test[border:]
    if "zimtohrli" in tools or "visqol" in tools:
        ref, test = (peaq.to_16_bits(peaq.resample(x, rate)) for x in (ref, test))
    if "zimtohrli" in tools:
        distances = [
            _models["zimtohrli"].distance(
                np.ascontiguousarray(ref[:, channel], dtype=np.float32),
                np.ascontiguousarray(test[:, channel], dtype=np.float32))
            for channel in range(ref.shape[1])]
        found["zimtohrli"] = float(np.sqrt(np.mean(np.square(distances))))
    if "visqol" in tools:
        found["visqol"] = float(_models["visqol"].measure_from_arrays(
            ref.mean(axis=1), test.mean(axis=1), peaq.FS).moslqo)
    return found
