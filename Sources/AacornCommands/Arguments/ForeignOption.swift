/// An option of another program, with the equivalent options of this program.
struct ForeignOption: Sendable {
  let spellings: [Substring]
  /// The long names of equivalent options, the best first; a hint names the first one that the
  /// command has.
  let options: [Substring]
  /// The hint for commands with none of these options.
  let otherwise: String?

  /// Creates an option from words that are separated by spaces.
  private init(_ spellings: String, _ options: String = "", otherwise: String? = nil) {
    self.spellings = spellings.split(separator: " ")
    self.options = options.split(separator: " ")
    self.otherwise = otherwise
  }

  /// Returns the equivalent of `typed`, or nil if it is unknown.
  static func hint(for typed: String, in command: CommandDescription) -> String? {
    for foreign in all where foreign.spellings.contains(typed[...]) {
      for name in foreign.options {
        if let option = command.options.first(where: { $0.long == name }) {
          return "Use \(HelpText.name(of: option))."
        }
      }
      if let otherwise = foreign.otherwise { return otherwise }
    }
    return nil
  }

  private static let spliceHint =
    "“aacorn cut” takes a part out of an AAC file, and “aacorn decode” decodes a part."
  private static let tags =
    "The tags that can be set are title, artist, album, date, comment and cover; “aacorn encode” "
    + "copies the other tags and the chapters of its input."

  static let all: [ForeignOption] = [
    .init(
      "-ss --ss --seek --from --begin --offset --start", "start start-track",
      otherwise: spliceHint),
    .init("-to --to --until --end", "end duration", otherwise: spliceHint),
    .init("--stop", "end stop-track duration", otherwise: spliceHint),
    .init("-t -d --duration --length --time", "duration", otherwise: spliceHint),
    .init("-i --input --in", otherwise: "Name the input without an option."),
    .init("-o --out --output --outfile --output-file --dest --destination", "output save"),
    .init("--outdir --output-dir --dir --directory --folder", "output-folder folder"),
    .init("-y -f --force --overwrite --yes --replace", "force"),
    .init("--quality -q:a -aq --tvbr -V --vbr-quality", "vbr bitrate"),
    .init("-b:a -ab --cbr --cvbr --kbps --bit-rate", "bitrate"),
    .init("-ar --sample-rate --samplerate --sampling-rate", "rate"),
    .init("-ac --mono --stereo --num-channels --downmix", "channels"),
    .init(
      "-c:a -acodec -codec:a --codec --encoder --aot --object-type --he --he-aac", "profile",
      otherwise: "Aacorn writes AAC only."),
    .init(
      "--mp3 --opus --flac --ogg --alac",
      otherwise: "Aacorn writes AAC, WAV, AIFF and CAF only; ffmpeg converts them to other formats."
    ),
    .init(
      "--bits --bit-depth --bitdepth --depth --bits-per-sample -sample_fmt --sample-format",
      "sample-format"),
    .init(
      "--genre --year --track --tracknumber --disc --albumartist --album-artist --composer --tag "
        + "--tags -metadata --metadata --chapters --chapter --lyrics --compilation --title --artist",
      otherwise: tags),
    .init(
      "--artwork --picture --image --art", "cover",
      otherwise: "“aacorn encode” adds a cover with --cover FILE."),
    .init("--volume -vol --amplify --gain", "gain volume loudness effects"),
    .init(
      "--normalize --normalise --loudnorm --lufs --replaygain --loudness", "loudness",
      otherwise:
        "--effects “loudness -16, limiter -1” does it live; “aacorn encode” has --loudness "
        + "for files."),
    .init("-af -filter:a --filter --af --effect", "effects"),
    .init("--cutoff -cutoff --lowpass", "bandwidth effects"),
    .init("--repeat -stream_loop --loop", "loop loop-track"),
    .init("--mic --microphone --input-device -D --speaker --device", "device"),
    .init("--system --driver --api", "backend"),
    .init("-threads --threads --parallel --jobs -j", "jobs"),
    .init(
      "--skip-existing --no-clobber -n --resume --continue",
      otherwise:
        "Existing files are kept unless --force is given; “aacorn batch” skips finished "
        + "files."),
    .init("--dry-run --dryrun --simulate --check", "check"),
    .init("-v --verbose --debug -loglevel --details", "verbose json"),
    .init("-q --quiet --silent --no-progress", "quiet"),
    .init("--server --host --mount --url", "icecast bind"),
    .init("--password --pass --key --stream-key --user", "credentials token-file"),
    .init("--version -V", otherwise: "“aacorn --version” prints it."),
  ]
}

/// Commands of other programs, with the equivalent commands of this program.
enum ForeignCommand {
  /// Returns the equivalent of a command, or nil if it is unknown.
  static func hint(for typed: String) -> String? {
    all.first { $0.names.split(separator: " ").contains { $0 == typed.lowercased() } }?.hint
  }

  private static let all: [(names: String, hint: String)] = [
    (
      "convert transcode compress enc encoder",
      "“aacorn encode” makes AAC of sound files, “aacorn decode” makes WAV of AAC."
    ),
    (
      "info show probe ffprobe mediainfo analyze analyse check verify validate test stat stats "
        + "duration",
      "“aacorn inspect” reports the content of AAC files and whether they are intact."
    ),
    (
      "tag tags metadata cover title",
      "“aacorn encode” writes tags while encoding, for example with --title; “aacorn inspect” shows "
        + "them. The tags of an existing file cannot be changed."
    ),
    (
      "chapter chapters",
      "“aacorn encode”, “aacorn cut” and “aacorn join” keep chapters; “aacorn inspect” shows them."
    ),
    ("trim clip extract slice", "“aacorn cut” takes a part out of an AAC file."),
    (
      "split",
      "“aacorn cut” takes a part out of an AAC file; “aacorn record --split” records several files."
    ),
    ("concat concatenate merge append cat", "“aacorn join” joins AAC files."),
    (
      "normalize normalise loudness loudnorm replaygain",
      "“aacorn encode --loudness -16” adjusts the loudness; “aacorn inspect --sound” measures it."
    ),
    ("listen player open", "“aacorn play” plays files and addresses."),
    ("capture rec dictate", "“aacorn record” records."),
    ("mix mixdown multitrack", "“aacorn record” mixes sources; see --source."),
    ("monitor", "“aacorn record --monitor default” plays the input while recording."),
    (
      "broadcast live publish icecast rtmp hls cast",
      "“aacorn stream” sends live audio to Icecast, RTMP and HLS."
    ),
    ("serve server web gui ui app", "“aacorn studio --open” opens the web page."),
    ("fix recover restore salvage", "“aacorn repair” repairs files."),
    (
      "list device mics microphones inputs outputs speakers",
      "“aacorn devices --outputs” lists inputs and outputs."
    ),
    ("effect preset presets filters", "“aacorn effects” lists them."),
    ("bulk folder manifest", "“aacorn batch” encodes the files of a list."),
    ("man manual usage commands options", "“aacorn help” lists the commands."),
    ("completion bash zsh fish", "“aacorn completions bash” prints a script."),
  ]
}
