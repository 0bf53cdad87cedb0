"""The sentences of the report."""

INTRODUCTION = """\
How good and how fast the encoder is beside others, at equal real bytes: every encoder was asked
for the rate at which the mean of its coded bytes over all clips, without the container around
them, is the rate in the tables. This page is made by `Benchmarks/lab report`; nothing in it is
typed by hand."""

ELSEWHERE = """\
† Measured elsewhere, with the same clips and tools, at rates that were not corrected.
Differences to these are taken where straight lines between their measured rates meet the
nominal one."""

MODELS = """\
These are models of hearing, not listeners. A difference counts when two of ODG, NMR and
Zimtohrli agree and the interval excludes zero."""

DIFFERENCES = """\
{main} less each other encoder, clip by clip at equal mean rate, with 95 % bootstrap intervals
over the clips. For ODG, 2f and ViSQOL more than zero is in favor of {main}, for the others
less than zero. **Bold**: the interval excludes zero in favor; *slanted*: it excludes zero
against. At the end the clips that lose most ODG."""

WORST = """\
Those on which {main} sounds worst, whatever others do there."""

TABLES = """\
The mean of the clips, then the worst clip. `ms/s` is user time in milliseconds for a second of
sound, starting of the program included."""

VARIABLE = """\
Each level beside a constant rate of the same mean, separated by a stroke. The spread is the
standard deviation of the noise-to-mask ratio over the clips: the smaller, the more alike
everything sounds. Nominal rates are meant for stereo music at 44.1 kHz."""

ABLATION = """\
The encoder with one tool switched off, less the encoder with all of them: what the tool buys is
what is missing here. **Bold**: the interval excludes zero, and the tool helps; *slanted*: it
does harm. `time` is user time as a multiple."""

REPRODUCTION = """\
## How to reproduce it

Needed are Python 3.11, ffmpeg, and what `pip install -r Benchmarks/Laboratory/requirements.txt`
installs. CLIPS is a folder of WAV or FLAC files of 5 to 12 seconds, mono or stereo; a
`manifest.csv` in it with the columns `file` and `class` names kinds. Results gather in a folder,
and what is there is not measured again unless the program has changed.

```console
$ Benchmarks/lab measure CLIPS --out results     # our efforts and the encoders found on PATH
$ Benchmarks/lab speed --out results             # on an idle machine
$ Benchmarks/lab vbr CLIPS --out results
$ Benchmarks/lab ablate CLIPS --out results
$ Benchmarks/lab report results                  # this page
```

Further encoders are named by command templates in a file, `--encoders FILE.toml`, as in
[encoders.toml](../Benchmarks/Laboratory/encoders.toml). `--aacorn PATH --label NAME` measures
another binary beside, `--metrics peaq` alone takes a fraction of the time, and `Benchmarks/lab
show results` prints a table."""
