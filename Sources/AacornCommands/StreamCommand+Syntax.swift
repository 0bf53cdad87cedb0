import AacornRecording
import AacornStreaming
import AacornSystem

extension StreamCommand {
  static var syntax: CommandSyntax<StreamCommand> {
    CommandSyntax(
      CommandDescription(
        name: "stream", summary: "Streams live audio to Icecast, RTMP, HLS and files.",
        operands: .files("[file]"),
        discussion: [
          "Without a file, the audio comes from the microphone. A sound file is played in real time. "
            + "All outputs get the same audio and are independent: a slow output drops its oldest "
            + "frames, and an output that loses its server reconnects, while the others continue.",
          "Set passwords and stream keys in the environment (AACORN_ICECAST_PASSWORD, "
            + "AACORN_RTMP_KEY, AACORN_HLS_PASSWORD) or in a file (--credentials). In an address, "
            + "other users of this machine can see them in process lists until the program has "
            + "started and removed them. They are never printed.",
          "The stream ends with the file, after --duration, at q, Ctrl-C or SIGTERM, or when all "
            + "outputs have failed. Waiting audio is then sent, and files and playlists are "
            + "completed; a second signal ends it immediately. Without a terminal, SIGHUP reads "
            + "--metadata-file again. Keys: \(RecordKey.streamingList), 1 to 9 start and stop tracks "
            + "(see --start-track), q stops, ? lists the keys.",
        ],
        essentials: [
          "icecast", "rtmp", "hls", "hls-serve", "save", "credentials", "device", "loop",
          "duration",
          "bitrate", "profile", "effects", "name", "metadata-file",
        ],
        examples: [
          (
            "aacorn stream --icecast icecast://radio.example:8000/live.aac",
            "Stream the microphone; the password is in AACORN_ICECAST_PASSWORD."
          ),
          (
            "aacorn stream --credentials keys --rtmp rtmp://live.example/app",
            "Stream to RTMP; the private file “keys” contains rtmp-key = …"
          ),
          (
            "aacorn stream music.wav --loop --hls /var/www/live",
            "Write HLS for a web server, from a file that is looped."
          ),
          (
            "aacorn stream --hls https://origin.example/live/",
            "Upload HLS; the password is in AACORN_HLS_PASSWORD."
          ),
          (
            "aacorn stream --hls-serve 8080 --hls-part 500ms",
            "Serve HLS with low latency at http://127.0.0.1:8080/."
          ),
          (
            "aacorn stream --hls live --profile auto --bitrates 128k,48k",
            "Offer players AAC-LC and HE-AAC."
          ),
          (
            "aacorn stream --icecast … -b 128k --adaptive --adaptive-range 48k..128k",
            "Lower the bitrate while the network is slow."
          ),
          (
            "aacorn stream --icecast … --save show.m4a --listen-status 9100",
            "Also save the stream, and serve its status."
          ),
        ],
        exitCodes: ExitStatus.streamTable),
      options: sections
    ) { (command, operand) throws(UsageError) in try command.choose(file: operand) }
  }

  private static var sections: [CommandSyntax<StreamCommand>.Section] {
    [
      ("Outputs (at least one; all except HLS may be repeated)", outputOptions),
      ("HLS", hlsOptions), ("Station and titles", stationOptions),
      ("Source", [.flag("loop", "Play the file in a loop.", \.sound.isLooped), durationOption]),
    ] + CommandSyntax.deviceSections("Stream") + [
      ("Audio", CommandSyntax.soundOptions(product: "stream") + renditionOptions),
      ("Connections", connectionOptions), ("Other", otherOptions),
    ]
  }

  private typealias Option = CommandSyntax<StreamCommand>.Option

  private static var outputOptions: [Option] {
    [
      .value(
        "icecast", .text("URL"),
        "Send to icecast://[USER@]HOST:PORT/MOUNT (icecasts:// is encrypted)."
      ) { $0.icecasts.append($1) },
      .value(
        "rtmp", .text("URL"),
        "Send to rtmp://HOST/APP (rtmps:// is encrypted). The stream key is set by --credentials, "
          + "AACORN_RTMP_KEY or the address rtmp://HOST/APP/KEY."
      ) { $0.rtmps.append($1) },
      .value(
        "hls", .folder("DIR|URL"),
        "Write HLS into DIR, or upload it to https://[USER@]HOST/PATH/. DIR is created if missing; "
          + "uploads use PUT."
      ) { (command, value) throws(UsageError) in
        try reject(if: value.isEmpty, "The folder for HLS has an empty name.")
        // The text is an address, and may contain a password that must not be printed.
        if value.contains("://") {
          command.hls.origins.append(value)
        } else {
          command.hls.folders.append(value)
        }
      },
      .value(
        "hls-serve", .text("ADDRESS:PORT"),
        "Serve HLS over HTTP; a port alone serves this machine, *:PORT the network.", \.hls.address,
        OptionValue.listen),
      .value("save", .file("FILE"), "Save to a file, .m4a or .aac, that survives crashes.") {
        (command, value) throws(UsageError) in
        try reject(if: value.isEmpty, "The file has an empty name.")
        command.saves.append(value)
      },
      .finish(\.finish),
      .force("Replace an existing file of --save.", \.replacesExisting),
    ]
  }

  private static var hlsOptions: [Option] {
    let options: [Option] = [
      .value(
        "hls-format", .choice(["fmp4", "aac"]),
        "Segment format (default fmp4). fmp4: MP4 fragments. aac: AAC frames, for old players."
      ) { $0.hls.configuration.media = $1 == "aac" ? .packedAudio : .fragmentedMP4 },
      .value(
        "hls-type", .choice(HLSConfiguration.Kind.allCases.map(\.rawValue)),
        "Playlist type (default live). live: old segments are removed. event: all segments stay. vod: "
          + "the playlist is written at the end."
      ) { $0.hls.configuration.kind = HLSConfiguration.Kind(rawValue: $1) ?? .live },
      .value(
        "hls-segment", .text("TIME"), "Duration of a segment, 200ms to 60s (default 4s).",
        \.hls.configuration.segmentDuration, OptionValue.time(in: 200...60_000)),
      .value(
        "hls-part", .text("TIME"),
        "Duration of a part for low latency, 100ms to 5s; only with --hls-serve.",
        \.hls.configuration.partDuration, OptionValue.time(in: 100...5000)),
      .flag(
        "hls-delete", "Delete old segments on the server that HLS is uploaded to (DELETE).",
        \.hls.removesOldFiles),
      .value(
        "hls-window", .text("N"), "Number of segments in a live playlist (default 6).",
        \.hls.configuration.windowSegmentCount, OptionValue.integer(in: 1...10_000)),
    ]
    return options.map { option in
      Option(description: option.description) { (command, value) throws(UsageError) in
        command.hlsOption = command.hlsOption ?? option.description.long
        try option.action(&command, value)
      }
    }
  }

  private static var stationOptions: [Option] {
    [
      .value("name", .text("TEXT"), "Name of the station (Icecast).", \.station.name),
      .value(
        "description", .text("TEXT"), "Description of the station (Icecast).", \.station.description
      ),
      .value("genre", .text("TEXT"), "Genre (Icecast).", \.station.genre),
      .value("website", .text("URL"), "Web page of the station (Icecast).", \.station.website),
      .value("metadata", .text("TEXT"), "Current track, as “Artist - Title”.", \.metadata),
      .value("title", .text("TEXT"), "Title of the current track.", \.title),
      .value("artist", .text("TEXT"), "Artist of the current track.", \.artist),
      .value(
        "metadata-file", .file("FILE"),
        "Read “Artist - Title” from the first line of FILE at each change.", \.metadataFile),
      .flag("public", "List the stream in the public directory of Icecast.", \.station.isPublic),
    ]
  }

  private static var renditionOptions: [Option] {
    let choices: [(kind: OutputStatus.Kind, name: String)] = [
      (.icecast, "Icecast"), (.rtmp, "RTMP"), (.save, "saved files"),
    ]
    let list = Option.value(
      "bitrates", .text("LIST"),
      "Constant bitrates for HLS, such as 128k,64k or 128k:lc,48k:he. Other outputs get the first.",
      \.renditions, OptionValue.renditions)
    return [list]
      + choices.map { kind, name in
        .value(
          "\(kind.rawValue)-bitrate", .text("RATE"),
          "Bitrate for \(name), one of --bitrates (default the first)."
        ) { (command, value) throws(UsageError) in
          command.chosenBitrates[kind] = try OptionValue.bitrate(value)
        }
      }
  }

  private static var connectionOptions: [Option] {
    [
      .value(
        "credentials", .file("FILE"),
        "Read passwords and stream keys from a private file (chmod 600). Its lines are such as "
          + "icecast-password = … and rtmp-key = …; those below [HOST:PORT] are for one server.",
        \.credentialsFile),
      .value(
        "certificate", .file("FILE"),
        "Trust the certificates in FILE (PEM) instead of the system's.", \.certificateFile),
      .value(
        "proxy", .text("URL"),
        "Connect through this proxy (default: https_proxy and no_proxy of the environment).",
        \.proxy),
      .value(
        "retry", .text("N"),
        "Give up on a server after N failed attempts in a row (default: never)."
      ) { (command, value) throws(UsageError) in
        command.attemptLimit =
          value == "0" ? 0 : try OptionValue.integer(value, "--retry", in: 1...1_000_000)
      },
      .value(
        "reconnect-queue", .text("TIME"),
        "Keep this much audio for an Icecast or RTMP server that is unavailable, 100ms to 10m "
          + "(default 10s).", \.queueDuration, OptionValue.time(in: 100...600_000)),
      .flag(
        "adaptive",
        "Lower the bitrate while the network is slow. The slowest server decides, and saved files get "
          + "the same bitrate. Not for HLS.", \.isAdaptive),
      .value(
        "adaptive-range", .text("MIN..MAX"),
        "Range of --adaptive, such as 48k..128k (default: from a quarter of the bitrate to the "
          + "bitrate; HE-AAC: from two thirds).", \.adaptiveRange, OptionValue.bitrateRange),
    ]
  }

  private static var otherOptions: [Option] {
    [
      .value(
        "listen-status", .text("ADDRESS:PORT"),
        "Serve the status over HTTP: /status (JSON), /metrics (Prometheus), /healthz.",
        \.statusAddress, OptionValue.listen),
      .flag("json", "Print one JSON object per event.", \.report.printsJSON),
      .verbose(\.report.wantsDetails),
      .quiet(\.report.isQuiet),
    ]
  }

  private mutating func choose(file: String) throws(UsageError) {
    try reject(if: file.isEmpty, "The file has an empty name.")
    // The text is an address, and may contain a password that must not be printed.
    if file.contains("://") {
      throw UsageError(
        "The address has no option.", hint: "Use --icecast, --rtmp or --hls before it.")
    }
    if let first = self.file {
      throw UsageError(
        "Only one file can be streamed, not both “\(displayed(first))” and “\(displayed(file))”.",
        hint: "Name one file.")
    }
    self.file = file
  }
}

extension OptionValue {
  static func listen(_ value: String, _ option: String) throws(UsageError) -> ListenAddress {
    if let address = ListenAddress(value) { return address }
    throw UsageError.misunderstood(
      value, option, hint: "Write it like 127.0.0.1:8080, [::1]:8080 or 8080.")
  }
}
