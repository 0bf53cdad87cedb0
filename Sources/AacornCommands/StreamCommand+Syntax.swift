import AacornRecording
import AacornStreaming
import AacornSystem

extension StreamCommand {
  static var syntax: CommandSyntax<StreamCommand> {
    CommandSyntax(
      CommandDescription(
        name: "stream", summary: "Streams live sound to Icecast, RTMP, HLS and files.",
        operands: .files("[file]"),
        discussion: [
          "Without a file, the sound comes from the microphone; a sound file is played in real "
            + "time. It is encoded once and goes to all outputs at the same time. None of them "
            + "waits for another: one that is too slow drops its oldest frames, and one that "
            + "loses its server reconnects without affecting the others.",
          "Passwords and stream keys belong in the environment (AACORN_ICECAST_PASSWORD, "
            + "AACORN_RTMP_KEY, AACORN_HLS_PASSWORD) or in a file (--credentials). In an address, others on this "
            + "machine can see them in process lists; they are removed there once the program "
            + "runs, but by then it may be too late. They are never printed.",
          "It ends when the file ends, after --duration, at Ctrl-C or SIGTERM (what is waiting is "
            + "sent, files and playlists are completed; a second one ends it at once), or when no "
            + "output is left. Without a terminal, SIGHUP reads --metadata-file again at once, and "
            + "--config: what is new there begins, what is gone ends, what has changed begins anew. "
            + "Keys: m mutes, h lets you hear it, 1 to 9 start and stop tracks (see --start), q "
            + "stops.",
        ],
        examples: [
          (
            "aacorn stream --icecast icecast://radio.example:8000/live.aac",
            "the microphone, with the password in AACORN_ICECAST_PASSWORD"
          ),
          (
            "aacorn stream --credentials keys --rtmp rtmp://live.example/app",
            "with rtmp-key = … in the file “keys”, which nobody else may read"
          ),
          ("aacorn stream music.wav --loop --hls /var/www/live", "for any web server"),
          (
            "aacorn stream --hls https://origin.example/live/",
            "for one elsewhere, with the password in AACORN_HLS_PASSWORD"
          ),
          (
            "aacorn stream --config /etc/aacorn/streams.conf --listen-status 9100",
            "many streams at once; SIGHUP reads the file again"
          ),
          (
            "aacorn stream --hls-serve 8080 --hls-part 500ms",
            "low latency, from http://127.0.0.1:8080/"
          ),
          (
            "aacorn stream --hls live --profile auto --bitrates 128k,48k",
            "AAC-LC and HE-AAC, from which players choose"
          ),
          (
            "aacorn stream --icecast … -b 128k --adaptive --adaptive-range 48k..128k",
            "at a lower bitrate while the network is slow"
          ),
          (
            "aacorn stream --icecast … --save show.m4a --listen-status 9100",
            "also saved to a file, and monitored"
          ),
        ],
        exitCodes: ExitStatus.streamTable,
        hints: [
          ("-i", "Name a file without an option, or choose a device with --device."),
          ("-a", "Choose the rate with --rate (-r) and channels with --channels (-c)."),
          (
            "--loudness",
            "While it runs, --effects “loudness -16, limiter -1” does it; “aacorn encode” has "
              + "--loudness for files."
          ),
        ]),
      options: noting(
        outputOptions + hlsOptions + stationOptions + sourceOptions
          + CommandSyntax.deviceOptions("Take sound")
          + CommandSyntax.soundOptions(product: "stream") + renditionOptions
          + connectionOptions + manyOptions + otherOptions)
    ) { (command, operand) throws(UsageError) in try command.choose(file: operand) }
  }

  private typealias Option = CommandSyntax<StreamCommand>.Option

  /// The options, each of which leaves its name in the command.
  private static func noting(_ options: [Option]) -> [Option] {
    options.map { option in
      Option(description: option.description) { (command, value) throws(UsageError) in
        command.given.insert(option.description.long)
        try option.action(&command, value)
      }
    }
  }

  private static var manyOptions: [Option] {
    let section = "Many streams"
    return [
      .path(
        "config", .file("FILE"), in: section,
        "Run all streams that FILE lists, each for itself. [NAME] begins one; the lines below it are "
          + "these options, as “bitrate = 128k”, and “file = PATH”.", "file with streams",
        \.configFile),
      .flag(
        "check", in: section, "Only say what is wrong with that file.", \.checksOnly),
    ]
  }

  private static var outputOptions: [Option] {
    let section = "Outputs (at least one; all but HLS may be repeated)"
    return [
      .value(
        "icecast", .text("URL"), in: section,
        "Publish at icecast://[USER@]HOST:PORT/MOUNT; icecasts:// is encrypted."
      ) { (command, value) throws(UsageError) in command.icecasts.append(value) },
      .value(
        "rtmp", .text("URL"), in: section,
        "Publish at rtmp://HOST/APP, with the stream key from elsewhere, or at "
          + "rtmp://HOST/APP/KEY; rtmps:// is encrypted."
      ) { (command, value) throws(UsageError) in command.rtmps.append(value) },
      .value(
        "hls", .folder("DIR|URL"), in: section,
        "Write playlists and segments into DIR, created if missing, for a web server, or upload them "
          + "(PUT) below https://[USER@]HOST/PATH/."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The folder for HLS has an empty name.") }
        // Such a name is an address, and may contain a password that must not be repeated.
        if value.contains("://") {
          command.hls.origins.append(value)
        } else {
          command.hls.folders.append(value)
        }
      },
      .value(
        "hls-serve", .text("ADDRESS:PORT"), in: section,
        "Be that web server; a port alone serves only this machine, *:PORT everyone."
      ) { (command, value) throws(UsageError) in
        command.hls.address = try OptionValue.listen(value, "--hls-serve")
      },
      .value(
        "save", .file("FILE"), in: section,
        "Save it to a file, .m4a or .aac, that survives crashes."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The file has an empty name.") }
        command.saves.append(value)
      },
      .value(
        "finish", .choice(FileOutput.Finish.choices), in: section, FileOutput.Finish.help
      ) { (command, value) throws(UsageError) in
        command.finish = FileOutput.Finish(rawValue: value)
      },
      .flag(
        "force", short: "f", alias: "y", in: section, "Replace an existing FILE.",
        \.replacesExisting),
    ]
  }

  private static var hlsOptions: [Option] {
    let section = "HLS"
    return [
      .value(
        "hls-format", .choice(["fmp4", "aac"]), in: section,
        "fmp4 (the default): MP4 fragments. aac: plain frames, for old players."
      ) { (command, value) throws(UsageError) in
        command.hls.options.append("--hls-format")
        command.hls.configuration.media = value == "aac" ? .packedAudio : .fragmentedMP4
      },
      .value(
        "hls-type", .choice(HLSConfiguration.Kind.allCases.map(\.rawValue)), in: section,
        "live (the default): old segments are removed. event: all stay. vod: a playlist at the end."
      ) { (command, value) throws(UsageError) in
        command.hls.options.append("--hls-type")
        command.hls.configuration.kind = HLSConfiguration.Kind(rawValue: value) ?? .live
      },
      .value("hls-segment", .text("TIME"), in: section, "Length of a segment; the default is 4s.") {
        (command, value) throws(UsageError) in
        command.hls.options.append("--hls-segment")
        let time = try OptionValue.time(value, "--hls-segment", in: 200...60_000)
        command.hls.configuration.segmentDuration = .milliseconds(time)
      },
      .value(
        "hls-part", .text("TIME"), in: section,
        "Low latency: parts of this length, such as 500ms; only with --hls-serve."
      ) { (command, value) throws(UsageError) in
        command.hls.options.append("--hls-part")
        let time = try OptionValue.time(value, "--hls-part", in: 100...5000)
        command.hls.configuration.partDuration = .milliseconds(time)
      },
      .flag(
        "hls-delete", in: section,
        "Remove old segments from a server to which HLS is uploaded (DELETE).",
        \.hls.removesOldFiles),
      .value("hls-window", .text("N"), in: section, "Number of segments in a live playlist.") {
        (command, value) throws(UsageError) in
        command.hls.options.append("--hls-window")
        command.hls.configuration.windowSegmentCount = try OptionValue.count(
          value, "--hls-window", upTo: 10_000)
      },
    ]
  }

  private static var stationOptions: [Option] {
    let section = "What listeners see"
    let texts: [(String, String, String, any WritableKeyPath<StreamCommand, String?> & Sendable)] =
      [
        ("name", "TEXT", "Name of the station (Icecast).", \.station.name),
        ("description", "TEXT", "Description of the station (Icecast).", \.station.description),
        ("genre", "TEXT", "Genre (Icecast).", \.station.genre),
        ("website", "URL", "The station's page (Icecast).", \.station.website),
        ("metadata", "TEXT", "What is playing, as “Artist - Title”.", \.metadata),
        ("title", "TEXT", "The title alone.", \.title),
        ("artist", "TEXT", "The artist alone.", \.artist),
      ]
    return texts.map { text in
      let property = text.3
      return Option.value(text.0, .text(text.1), in: section, text.2) {
        (command, value) throws(UsageError) in command[keyPath: property] = value
      }
    } + [
      .value(
        "metadata-file", .file("FILE"), in: section,
        "Read “Artist - Title” from the first line of FILE, and again whenever it changes."
      ) { (command, value) throws(UsageError) in command.metadataFile = value },
      .flag("public", in: section, "Let Icecast list the stream publicly.", \.station.isPublic),
    ]
  }

  private static var sourceOptions: [Option] {
    let section = "Source"
    return [
      .flag("loop", in: section, "Play the file again and again.", \.sound.isLooped),
      .value(
        "duration", short: "d", alias: "t", .text("TIME"), in: section,
        "Stop after this much sound: 10s, 1.5m, 2h, 1:30:00."
      ) { (command, value) throws(UsageError) in
        command.milliseconds = try OptionValue.time(value, "--duration")
      },
    ]
  }

  private static var renditionOptions: [Option] {
    let section = "Sound"
    let choices: [(kind: OutputStatus.Kind, name: String)] = [
      (.icecast, "Icecast"), (.rtmp, "RTMP"), (.save, "saved files"),
    ]
    let list = Option.value(
      "bitrates", .text("LIST"), in: section,
      "Several constant bitrates for HLS, such as 128k,64k, or with profiles 128k:lc,48k:he; other "
        + "outputs get the first."
    ) { (command, value) throws(UsageError) in
      command.renditions = try OptionValue.renditions(value)
    }
    let chosen = choices.map { choice -> Option in
      let kind = choice.kind
      return .value(
        "\(kind.rawValue)-bitrate", .text("RATE"), in: section,
        "The one of --bitrates for \(choice.name), if it is not the first."
      ) { (command, value) throws(UsageError) in
        command.chosenBitrates[kind] = try OptionValue.bitrate(value)
      }
    }
    return [list] + chosen
  }

  private static var connectionOptions: [Option] {
    let section = "Connections"
    return [
      .value(
        "credentials", .file("FILE"), in: section,
        "Lines such as icecast-password = … and rtmp-key = …; [HOST:PORT] before them limits them "
          + "to one server. Nobody else may have permission to read it."
      ) { (command, value) throws(UsageError) in command.credentialsFile = value },
      .value(
        "certificate", .file("FILE"), in: section,
        "Trust the certificates in FILE (PEM) instead of the system's."
      ) { (command, value) throws(UsageError) in command.certificateFile = value },
      .value(
        "proxy", .text("URL"), in: section,
        "Connect through this proxy; the default is what the environment says (https_proxy, "
          + "no_proxy)."
      ) { (command, value) throws(UsageError) in command.proxy = value },
      .value(
        "retry", .text("N"), in: section,
        "Give up on a server after N failed attempts in a row; the default is never."
      ) { (command, value) throws(UsageError) in
        command.attemptLimit =
          value == "0" ? 0 : try OptionValue.count(value, "--retry", upTo: 1_000_000)
      },
      .value(
        "reconnect-queue", .text("TIME"), in: section,
        "How much sound waits for an Icecast or RTMP server that is away; the default is 10s."
      ) { (command, value) throws(UsageError) in
        command.queueMilliseconds = try OptionValue.time(
          value, "--reconnect-queue", in: 100...600_000)
      },
      .flag(
        "adaptive", in: section,
        "Lower the bitrate at once when sound has to wait for a server, and raise it again slowly; "
          + "of several servers, the slowest decides, and saved files get the same. Not for HLS.",
        \.isAdaptive),
      .value(
        "adaptive-range", .text("MIN..MAX"), in: section,
        "How far --adaptive goes, such as 48k..128k; the default is from a quarter of the bitrate to "
          + "the bitrate, and in HE-AAC from two thirds."
      ) { (command, value) throws(UsageError) in
        command.adaptiveRange = try OptionValue.bitrateRange(value, "--adaptive-range")
      },
    ]
  }

  private static var otherOptions: [Option] {
    let section = "Other"
    return [
      .value(
        "listen-status", .text("ADDRESS:PORT"), in: section,
        "Serve the state at http://ADDRESS:PORT: /status (JSON), /metrics (Prometheus), /healthz."
      ) { (command, value) throws(UsageError) in
        command.statusAddress = try OptionValue.listen(value, "--listen-status")
      },
      .flag("json", in: section, "Print one JSON object per event.", \.printsJSON),
      .flag("verbose", short: "v", in: section, "Explain what was chosen, and why.", \.isVerbose),
      .flag("quiet", short: "q", in: section, "Print only errors.", \.isQuiet),
    ]
  }

  private mutating func choose(file: String) throws(UsageError) {
    if file.isEmpty { throw UsageError("The file has an empty name.") }
    // Such a name is an address, and may contain a password that must not be repeated.
    if file.contains("://") {
      throw UsageError(
        "An address needs an option before it.", advice: "Use --icecast or --rtmp.")
    }
    if let first = self.file {
      throw UsageError(
        "The sound cannot come from both “\(displayed(first))” and “\(displayed(file))”.",
        advice: "Name one file.")
    }
    self.file = file
  }
}

extension OptionValue {
  static func listen(_ value: String, _ option: String) throws(UsageError) -> ListenAddress {
    if let address = ListenAddress(value) { return address }
    throw UsageError(
      "\(option) does not understand “\(displayed(value))”.",
      advice: "Write it like 127.0.0.1:8080, [::1]:8080 or 8080.")
  }
}
