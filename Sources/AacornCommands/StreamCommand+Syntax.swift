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
            + "--metadata-file and --config again: new streams start, removed ones stop, changed "
            + "ones restart. Keys: \(RecordKey.streamingList), 1 to 9 start and stop tracks (see "
            + "--start-track), q stops, ? lists the keys.",
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
          (
            "aacorn stream --config /etc/aacorn/streams.conf --listen-status 9100",
            "Run many streams; SIGHUP reads the file again."
          ),
        ],
        exitCodes: ExitStatus.streamTable),
      options: recordingUse(
        outputOptions + hlsOptions + stationOptions + sourceOptions
          + CommandSyntax.deviceOptions("Stream")
          + CommandSyntax.soundOptions(product: "stream") + renditionOptions
          + connectionOptions + manyOptions + otherOptions),
      formerOptions: recordingUse(CommandSyntax.formerTrackOptions)
    ) { (command, operand) throws(UsageError) in try command.choose(file: operand) }
  }

  private typealias Option = CommandSyntax<StreamCommand>.Option

  /// Returns the options, extended so that each adds its name to `given` when it is used.
  private static func recordingUse(_ options: [Option]) -> [Option] {
    options.map { option in
      Option(
        description: option.description,
        action: { (command, value) throws(UsageError) in
          command.givenOptions.insert(option.description.long)
          try option.action(&command, value)
        }, replacement: option.replacement)
    }
  }

  private static var manyOptions: [Option] {
    let section = "Many streams"
    return [
      .path(
        "config", .file("FILE"), in: section,
        "Run the streams of FILE, independently. [NAME] starts a stream; the lines below are its "
          + "options, such as “bitrate = 128k” or “loop = yes”, and “file = PATH”.",
        "file with streams",
        \.configFile),
      .flag(
        "check", in: section, "Check the file of --config without streaming.", \.checksOnly),
    ]
  }

  private static var outputOptions: [Option] {
    let section = "Outputs (at least one; all except HLS may be repeated)"
    return [
      .value(
        "icecast", .text("URL"), in: section,
        "Send to icecast://[USER@]HOST:PORT/MOUNT (icecasts:// is encrypted)."
      ) { (command, value) throws(UsageError) in command.icecasts.append(value) },
      .value(
        "rtmp", .text("URL"), in: section,
        "Send to rtmp://HOST/APP (rtmps:// is encrypted). The stream key is set by --credentials, "
          + "AACORN_RTMP_KEY or the address rtmp://HOST/APP/KEY."
      ) { (command, value) throws(UsageError) in command.rtmps.append(value) },
      .value(
        "hls", .folder("DIR|URL"), in: section,
        "Write HLS into DIR, or upload it to https://[USER@]HOST/PATH/. DIR is created if missing; "
          + "uploads use PUT."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The folder for HLS has an empty name.") }
        // The text is an address, and may contain a password that must not be printed.
        if value.contains("://") {
          command.hls.origins.append(value)
        } else {
          command.hls.folders.append(value)
        }
      },
      .value(
        "hls-serve", .text("ADDRESS:PORT"), in: section,
        "Serve HLS over HTTP; a port alone serves this machine, *:PORT the network.", \.hls.address,
        OptionValue.listen),
      .value(
        "save", .file("FILE"), in: section,
        "Save to a file, .m4a or .aac, that survives crashes."
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
        "force", short: "f", alias: "y", in: section, "Replace an existing file of --save.",
        \.replacesExisting),
    ]
  }

  private static var hlsOptions: [Option] {
    let section = "HLS"
    return [
      .value(
        "hls-format", .choice(["fmp4", "aac"]), in: section,
        "Segment format (default fmp4). fmp4: MP4 fragments. aac: AAC frames, for old players."
      ) { (command, value) throws(UsageError) in
        command.hls.options.append("--hls-format")
        command.hls.configuration.media = value == "aac" ? .packedAudio : .fragmentedMP4
      },
      .value(
        "hls-type", .choice(HLSConfiguration.Kind.allCases.map(\.rawValue)), in: section,
        "Playlist type (default live). live: old segments are removed. event: all segments stay. vod: "
          + "the playlist is written at the end."
      ) { (command, value) throws(UsageError) in
        command.hls.options.append("--hls-type")
        command.hls.configuration.kind = HLSConfiguration.Kind(rawValue: value) ?? .live
      },
      .value(
        "hls-segment", .text("TIME"), in: section,
        "Duration of a segment, 200ms to 60s (default 4s)."
      ) {
        (command, value) throws(UsageError) in
        command.hls.options.append("--hls-segment")
        let time = try OptionValue.time(value, "--hls-segment", in: 200...60_000)
        command.hls.configuration.segmentDuration = .milliseconds(time)
      },
      .value(
        "hls-part", .text("TIME"), in: section,
        "Duration of a part for low latency, 100ms to 5s; only with --hls-serve."
      ) { (command, value) throws(UsageError) in
        command.hls.options.append("--hls-part")
        let time = try OptionValue.time(value, "--hls-part", in: 100...5000)
        command.hls.configuration.partDuration = .milliseconds(time)
      },
      .flag(
        "hls-delete", in: section,
        "Delete old segments on the server that HLS is uploaded to (DELETE).",
        \.hls.removesOldFiles),
      .value(
        "hls-window", .text("N"), in: section,
        "Number of segments in a live playlist (default 6)."
      ) {
        (command, value) throws(UsageError) in
        command.hls.options.append("--hls-window")
        command.hls.configuration.windowSegmentCount = try OptionValue.count(
          value, "--hls-window", upTo: 10_000)
      },
    ]
  }

  private static var stationOptions: [Option] {
    let section = "Station and titles"
    return [
      .value("name", .text("TEXT"), in: section, "Name of the station (Icecast).", \.station.name),
      .value(
        "description", .text("TEXT"), in: section, "Description of the station (Icecast).",
        \.station.description),
      .value("genre", .text("TEXT"), in: section, "Genre (Icecast).", \.station.genre),
      .value(
        "website", .text("URL"), in: section, "Web page of the station (Icecast).",
        \.station.website),
      .value(
        "metadata", .text("TEXT"), in: section, "Current track, as “Artist - Title”.", \.metadata),
      .value("title", .text("TEXT"), in: section, "Title of the current track.", \.title),
      .value("artist", .text("TEXT"), in: section, "Artist of the current track.", \.artist),
      .value(
        "metadata-file", .file("FILE"), in: section,
        "Read “Artist - Title” from the first line of FILE at each change.", \.metadataFile),
      .flag(
        "public", in: section, "List the stream in the public directory of Icecast.",
        \.station.isPublic),
    ]
  }

  private static var sourceOptions: [Option] {
    let section = "Source"
    return [
      .flag("loop", in: section, "Play the file in a loop.", \.sound.isLooped),
      .value(
        "duration", short: "d", alias: "t", .text("TIME"), in: section,
        "Stop after this duration: 10s, 1.5m, 2h or 1:30:00.", \.milliseconds, OptionValue.time),
    ]
  }

  private static var renditionOptions: [Option] {
    let section = "Audio"
    let choices: [(kind: OutputStatus.Kind, name: String)] = [
      (.icecast, "Icecast"), (.rtmp, "RTMP"), (.save, "saved files"),
    ]
    let list = Option.value(
      "bitrates", .text("LIST"), in: section,
      "Constant bitrates for HLS, such as 128k,64k or 128k:lc,48k:he. Other outputs get the first."
    ) { (command, value) throws(UsageError) in
      command.renditions = try OptionValue.renditions(value)
    }
    let chosen = choices.map { choice -> Option in
      let kind = choice.kind
      return .value(
        "\(kind.rawValue)-bitrate", .text("RATE"), in: section,
        "Bitrate for \(choice.name), one of --bitrates (default the first)."
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
        "Read passwords and stream keys from a private file (chmod 600). Its lines are such as "
          + "icecast-password = … and rtmp-key = …; those below [HOST:PORT] are for one server.",
        \.credentialsFile),
      .value(
        "certificate", .file("FILE"), in: section,
        "Trust the certificates in FILE (PEM) instead of the system's.", \.certificateFile),
      .value(
        "proxy", .text("URL"), in: section,
        "Connect through this proxy (default: https_proxy and no_proxy of the environment).",
        \.proxy),
      .value(
        "retry", .text("N"), in: section,
        "Give up on a server after N failed attempts in a row (default: never)."
      ) { (command, value) throws(UsageError) in
        command.attemptLimit =
          value == "0" ? 0 : try OptionValue.count(value, "--retry", upTo: 1_000_000)
      },
      .value(
        "reconnect-queue", .text("TIME"), in: section,
        "Keep this much audio for an Icecast or RTMP server that is unavailable, 100ms to 10m "
          + "(default 10s)."
      ) { (command, value) throws(UsageError) in
        command.queueMilliseconds = try OptionValue.time(
          value, "--reconnect-queue", in: 100...600_000)
      },
      .flag(
        "adaptive", in: section,
        "Lower the bitrate while the network is slow. The slowest server decides, and saved files get "
          + "the same bitrate. Not for HLS.",
        \.isAdaptive),
      .value(
        "adaptive-range", .text("MIN..MAX"), in: section,
        "Range of --adaptive, such as 48k..128k (default: from a quarter of the bitrate to the "
          + "bitrate; HE-AAC: from two thirds)."
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
        "Serve the status over HTTP: /status (JSON), /metrics (Prometheus), /healthz.",
        \.statusAddress, OptionValue.listen),
      .flag("json", in: section, "Print one JSON object per event.", \.printsJSON),
      .flag(
        "verbose", short: "v", in: section, "Print the settings chosen and the reasons.",
        \.isVerbose),
      .flag("quiet", short: "q", in: section, "Print only errors.", \.isQuiet),
    ]
  }

  private mutating func choose(file: String) throws(UsageError) {
    if file.isEmpty { throw UsageError("The file has an empty name.") }
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
