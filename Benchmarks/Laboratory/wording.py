"""The texts of the report."""

INTRODUCTION = """\
This page compares the quality and the speed of AAC encoders at equal size. Every encoder got the
bitrate at which its mean size over all clips, without the container, is the bitrate in the tables.
`Benchmarks/lab report` generates this page. Only the sections on HE-AAC, decoding and other
languages are written by hand."""

DIGEST = """\
The figures are of the encoder whose bytes have the digest `{digest}`; only those of “Other
languages” are older. `Scripts/check-program` fails if the command encodes other bytes: then
`Benchmarks/lab` must measure again, for this page and for the README."""

ELSEWHERE = """\
† Measured on another machine, with the same clips and tools, at bitrates that were not corrected.
Differences use values interpolated linearly at the nominal bitrate."""

MODELS = """\
These are models of hearing, not listening tests. A difference counts if two of ODG, NMR and
Zimtohrli agree and the interval excludes zero.

The ODG of `peaq.py` was compared with that of GstPEAQ 0.6.1, another implementation, on the 26
clips in HE-AAC at 32 kb/s and in AAC-LC at 64, 96 and 128 kb/s: the mean difference is 0.000 and the
largest 0.018. For one of the 104 pairs GstPEAQ has no result. By its own documentation, GstPEAQ
differs from the reference values of BS.1387 by less than 0.16 in the distortion index of 15 of the
16 items, and by 0.76 in one; the recordings of the items are not free, so they were not tried here."""

DIFFERENCES = """\
{main} minus each other encoder, for each clip at equal mean bitrate, with 95 % bootstrap intervals
over the clips. For ODG, 2f and ViSQOL, a positive value favors {main}; for the others, a negative
value. **Bold**: the interval excludes zero in favor; *italic*: it excludes zero against. The last
column has the clips with the largest loss in ODG."""

WORST = """\
The clips on which {main} has its worst results, independent of the other encoders."""

TABLES = """\
The mean of the clips, then the worst clip."""

VARIABLE = """\
Each level, and after the slash a constant bitrate with the same mean. The spread is the standard
deviation of the noise-to-mask ratio over the clips: a small spread means equal quality. Nominal
bitrates are for stereo music at 44.1 kHz."""

ABLATION = """\
The encoder without one tool, minus the encoder with all tools: the loss is the contribution of the
tool. **Bold**: the interval excludes zero, and the tool helps; *italic*: it harms. `time` is a
multiple of the user time."""

REPLICATION = """\
## HE-AAC

The clips three times, 639 s of stereo, on one core, with the other encoders in the same run. [Choose a
profile and a bitrate](Profiles.md) has measurements of the quality.

```console
$ /usr/bin/time -f '%U s user' aacorn encode -q -f -j 1 --profile he -b 48k FILE.wav -o out.aac   # he2, 32k
$ /usr/bin/time -f '%U s user' fdkaac -S -p 5 -f 2 -b 48000 -o out.aac FILE.wav                  # 29, 32000
$ /usr/bin/time -f '%U s user' faac -v0 --overwrite --object-type he-aac-v1 -b 48 -o out.aac FILE.wav
```

|  | kb/s | user s | × realtime | × fdk-aac |
|---|---:|---:|---:|---:|
| faac, HE-AAC | 48 | 1.46 | 438 | 7.3 |
| aacorn-balanced, HE-AAC | 48 | 1.62 | 395 | 6.6 |
| fdk, HE-AAC | 48 | 10.73 | 60 | 1.0 |
| aacorn-balanced, HE-AAC v2 | 32 | 1.34 | 477 | 4.6 |
| fdk, HE-AAC v2 | 32 | 6.16 | 104 | 1.0 |"""

DECODING = """\
## Decoding

The same 639 s, encoded by ffmpeg and fdk-aac, to a 16-bit WAV file with dither, compared with FFmpeg
5.1 with one thread, which has no dither. Medians of five alternating runs on the machine above. 0.07 s
of FFmpeg's user time are its start.

```console
$ /usr/bin/time -f '%U s user, %e s wall, %M kB' aacorn decode -q -f FILE -o out.wav
$ /usr/bin/time -f '%U s user, %e s wall, %M kB' ffmpeg -v error -y -threads 1 -i FILE out.wav
```

|  | user s | wall s | user, FFmpeg | wall, FFmpeg |
|---|---:|---:|---:|---:|
| AAC-LC 128 kb/s | 0.70 | 1.22 | 0.84 | 1.01 |
| HE-AAC 48 kb/s | 1.14 | 1.65 | 1.47 | 1.64 |
| HE-AAC v2 32 kb/s | 1.09 | 1.62 | 1.48 | 1.68 |

Memory does not grow with the length of the file: an AAC-LC or HE-AAC file takes 16 MB (FFmpeg:
56 MB). One file is decoded in one thread, and several files are decoded in parallel."""

WAYS_IN = """\
## Other languages

Ten minutes of stereo at 44.1 kHz and 128 kb/s through every interface of the codec, with one thread
and the same units and samples. Medians of five alternating rounds on two cores of a shared Intel
Xeon, by `Benchmarks/bindings`. The ratio to the command is in parentheses. The time includes the
start of the program, reading the WAV file and writing a 32-bit WAV file.

|  | encode: s | user CPU, s | decode: s | user CPU, s |
|---|---:|---:|---:|---:|
| the command, one thread | 1.09 | 1.03 | 0.92 | 0.67 |
| C, the examples | 1.04 (0.95×) | 0.98 (0.95×) | 0.51 (0.55×) | 0.40 (0.59×) |
| Python | 1.29 (1.19×) | 1.18 (1.15×) | 1.17 (1.26×) | 0.66 (0.99×) |
| node, WebAssembly | 1.91 (1.76×) | 1.84 (1.78×) | 1.38 (1.49×) | 1.30 (1.94×) |
| Chromium, WebAssembly | 2.02 (1.86×) | 1.81 (1.75×) | 1.55 (1.68×) | 1.32 (1.97×) |
| GStreamer | 1.27 (1.17×) | 1.12 (1.09×) | 0.60 (0.65×) | 0.49 (0.74×) |"""

REPRODUCTION = """\
## Reproduce the measurements

Install Python 3.11, ffmpeg, and the packages in `Benchmarks/Laboratory/requirements.txt` (`pip
install -r`). CLIPS is a folder of WAV or FLAC files of 5 to 12 seconds, mono or stereo. An optional
`manifest.csv` in it with the columns `file` and `class` names the kinds of clips. Results are
stored in a folder. Existing results are measured again only if the program has changed.

```console
$ Benchmarks/lab measure CLIPS --out results     # our efforts and the encoders found on PATH
$ Benchmarks/lab speed --out results             # on an idle machine
$ Benchmarks/lab vbr CLIPS --out results
$ Benchmarks/lab ablate CLIPS --out results
$ Benchmarks/lab report results                  # this page
```

| Option | Effect |
|---|---|
| `--encoders FILE.toml` | adds encoders by command templates, as in [encoders.toml](../Benchmarks/Laboratory/encoders.toml) |
| `--aacorn PATH --label NAME` | measures another binary as well |
| `--metrics peaq` | computes PEAQ only, in a fraction of the time |

`Benchmarks/lab show results` prints a table."""
