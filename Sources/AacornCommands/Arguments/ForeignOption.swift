/// An option of another program, with the equivalent options of this program.
struct ForeignOption: Sendable {
  let spellings: [String]
  /// The long names of equivalent options, the best first; a hint names the first one that the
  /// command has.
  let options: [String]
  /// The hint for commands with none of these options.
  var otherwise: String?

  /// Returns the equivalent of `typed`, or nil if it is unknown.
  static func hint(for typed: String, in command: CommandDescription) -> String? {
    for foreign in all where foreign.spellings.contains(typed) {
      for name in foreign.options {
        if let option = command.options.first(where: { $0.long == name }) {
          return "Use \(HelpText.usage(of: option))."
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
      spellings: ["-ss", "--ss", "--seek", "--from", "--begin", "--offset", "--start"],
      options: ["start", "start-track"], otherwise: spliceHint),
    .init(
      spellings: ["-to", "--to", "--until", "--end"], options: ["end", "duration"],
      otherwise: spliceHint),
    .init(
      spellings: ["--stop"], options: ["end", "stop-track", "duration"], otherwise: spliceHint),
    .init(
      spellings: ["-t", "-d", "--duration", "--length", "--time"], options: ["duration"],
      otherwise: spliceHint),
    .init(
      spellings: ["-i", "--input", "--in"], options: [],
      otherwise: "Name the input without an option."),
    .init(
      spellings: [
        "-o", "--out", "--output", "--outfile", "--output-file", "--dest", "--destination",
      ],
      options: ["output", "save"]),
    .init(
      spellings: ["--outdir", "--output-dir", "--dir", "--directory", "--folder"],
      options: ["output-folder", "folder"]),
    .init(
      spellings: ["-y", "-f", "--force", "--overwrite", "--yes", "--replace"], options: ["force"]),
    .init(
      spellings: ["--quality", "-q:a", "-aq", "--tvbr", "-V", "--vbr-quality"],
      options: ["vbr", "bitrate"]),
    .init(
      spellings: ["-b:a", "-ab", "--cbr", "--cvbr", "--kbps", "--bit-rate"], options: ["bitrate"]),
    .init(
      spellings: ["-ar", "--sample-rate", "--samplerate", "--sampling-rate"], options: ["rate"]),
    .init(
      spellings: ["-ac", "--mono", "--stereo", "--num-channels", "--downmix"],
      options: ["channels"]),
    .init(
      spellings: [
        "-c:a", "-acodec", "-codec:a", "--codec", "--encoder", "--aot", "--object-type", "--he",
        "--he-aac",
      ], options: ["profile"], otherwise: "Aacorn writes AAC only."),
    .init(
      spellings: ["--mp3", "--opus", "--flac", "--ogg", "--alac"], options: [],
      otherwise: "Aacorn writes AAC, WAV, AIFF and CAF only; ffmpeg converts them to other formats."
    ),
    .init(
      spellings: [
        "--bits", "--bit-depth", "--bitdepth", "--depth", "--bits-per-sample", "-sample_fmt",
        "--sample-format",
      ], options: ["sample-format"]),
    .init(
      spellings: [
        "--genre", "--year", "--track", "--tracknumber", "--disc", "--albumartist",
        "--album-artist", "--composer", "--tag", "--tags", "-metadata", "--metadata", "--chapters",
        "--chapter", "--lyrics", "--compilation", "--title", "--artist",
      ],
      options: [], otherwise: tags),
    .init(
      spellings: ["--artwork", "--picture", "--image", "--art"], options: ["cover"],
      otherwise: "“aacorn encode” adds a cover with --cover FILE."),
    .init(
      spellings: ["--volume", "-vol", "--amplify", "--gain"],
      options: ["gain", "volume", "loudness", "effects"]),
    .init(
      spellings: [
        "--normalize", "--normalise", "--loudnorm", "--lufs", "--replaygain", "--loudness",
      ],
      options: ["loudness"],
      otherwise:
        "--effects “loudness -16, limiter -1” does it live; “aacorn encode” has --loudness "
        + "for files."),
    .init(spellings: ["-af", "-filter:a", "--filter", "--af", "--effect"], options: ["effects"]),
    .init(spellings: ["--cutoff", "-cutoff", "--lowpass"], options: ["bandwidth", "effects"]),
    .init(
      spellings: ["--repeat", "-stream_loop", "--loop"], options: ["loop", "loop-track"]),
    .init(
      spellings: ["--mic", "--microphone", "--input-device", "-D", "--speaker", "--device"],
      options: ["device"]),
    .init(spellings: ["--system", "--driver", "--api"], options: ["backend"]),
    .init(
      spellings: ["-threads", "--threads", "--parallel", "--jobs", "-j"], options: ["jobs"]),
    .init(
      spellings: ["--skip-existing", "--no-clobber", "-n", "--resume", "--continue"], options: [],
      otherwise: "Existing files are kept unless --force is given; “aacorn batch” skips finished "
        + "files."),
    .init(
      spellings: ["--dry-run", "--dryrun", "--simulate", "--check"], options: ["check"]),
    .init(
      spellings: ["-v", "--verbose", "--debug", "-loglevel", "--details"],
      options: ["verbose", "json"]),
    .init(spellings: ["-q", "--quiet", "--silent", "--no-progress"], options: ["quiet"]),
    .init(
      spellings: ["--server", "--host", "--mount", "--url"], options: ["icecast", "bind"]),
    .init(
      spellings: ["--password", "--pass", "--key", "--stream-key", "--user"],
      options: ["credentials", "token-file"]),
    .init(
      spellings: ["--version", "-V"], options: [], otherwise: "“aacorn --version” prints it."),
  ]
}

/// Commands of other programs, with the equivalent commands of this program.
enum ForeignCommand {
  /// Returns the equivalent of a command, or nil if it is unknown.
  static func hint(for typed: String) -> String? {
    all.first { $0.names.contains(typed.lowercased()) }?.hint
  }

  private static let all: [(names: Set<String>, hint: String)] = [
    (
      ["convert", "transcode", "compress", "enc", "encoder"],
      "“aacorn encode” makes AAC of sound files, “aacorn decode” makes WAV of AAC."
    ),
    (
      [
        "info", "show", "probe", "ffprobe", "mediainfo", "analyze", "analyse", "check", "verify",
        "validate", "test", "stat", "stats", "duration",
      ],
      "“aacorn inspect” reports the content of AAC files and whether they are intact."
    ),
    (
      ["tag", "tags", "metadata", "cover", "title"],
      "“aacorn encode” writes tags while encoding, for example with --title; “aacorn inspect” shows "
        + "them. The tags of an existing file cannot be changed."
    ),
    (
      ["chapter", "chapters"],
      "“aacorn encode”, “aacorn cut” and “aacorn join” keep chapters; “aacorn inspect” shows them."
    ),
    (["trim", "clip", "extract", "slice"], "“aacorn cut” takes a part out of an AAC file."),
    (
      ["split"],
      "“aacorn cut” takes a part out of an AAC file; “aacorn record --split” records several files."
    ),
    (["concat", "concatenate", "merge", "append", "cat"], "“aacorn join” joins AAC files."),
    (
      ["normalize", "normalise", "loudness", "loudnorm", "replaygain"],
      "“aacorn encode --loudness -16” adjusts the loudness; “aacorn inspect --sound” measures it."
    ),
    (["listen", "player", "open"], "“aacorn play” plays files and addresses."),
    (["capture", "rec", "dictate"], "“aacorn record” records."),
    (["mix", "mixdown", "multitrack"], "“aacorn record” mixes sources; see --source."),
    (["monitor"], "“aacorn record --monitor default” plays the input while recording."),
    (
      ["broadcast", "live", "publish", "icecast", "rtmp", "hls", "cast"],
      "“aacorn stream” sends live audio to Icecast, RTMP and HLS."
    ),
    (["serve", "server", "web", "gui", "ui", "app"], "“aacorn studio --open” opens the web page."),
    (["fix", "recover", "restore", "salvage"], "“aacorn repair” repairs files."),
    (
      ["list", "device", "mics", "microphones", "inputs", "outputs", "speakers"],
      "“aacorn devices --outputs” lists inputs and outputs."
    ),
    (["effect", "preset", "presets", "filters", "plugins"], "“aacorn effects” lists them."),
    (["bulk", "folder", "manifest"], "“aacorn batch” encodes the files of a list."),
    (["man", "manual", "usage", "commands", "options"], "“aacorn help” lists the commands."),
    (["completion", "bash", "zsh", "fish"], "“aacorn completions bash” prints a script."),
  ]
}
