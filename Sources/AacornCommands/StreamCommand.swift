import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

struct StreamCommand: Subcommand, SoundCommand {
  var file: String?
  var sound = SoundChoice()
  /// The codings for HLS; other outputs get the first one.
  var renditions: [StreamRendition] = []
  /// The bitrates of the renditions that `--icecast-bitrate` and similar options select, by output
  /// kind.
  var chosenBitrates: [OutputStatus.Kind: Int] = [:]
  var duration: Duration?

  var icecasts: [String] = []
  var rtmps: [String] = []
  var saves: [String] = []
  /// The way to complete a saved M4A file; nil for the default.
  var finish: FileOutput.Finish?
  var replacesExisting = false
  var hls = LivePlan.HLS()

  var station = Station()
  var metadata: String?
  var title: String?
  var artist: String?
  var metadataFile: String?

  var credentialsFile: String?
  var certificateFile: String?
  var proxy: String?
  var attemptLimit: Int?
  var queueDuration: Duration?
  /// Whether the bitrate adapts to the network.
  var isAdaptive = false
  /// The range of adaptation in bits per second.
  var adaptiveRange: ClosedRange<Int>?

  /// The file with several streams, instead of one stream on the command line.
  var configFile: String?
  /// Whether the file is checked without streaming.
  var checksOnly = false
  /// Whether the stream is described in a file with several streams.
  var isFromFile = false
  /// The long names of the given options, in order.
  var givenOptions: [String] = []

  var statusAddress: ListenAddress?
  var report = ReportChoice()

  /// The description of the stream on an Icecast server.
  struct Station: Sendable, Equatable {
    var name: String?
    var description: String?
    var genre: String?
    var website: String?
    var isPublic = false
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    hideSecrets()
    if let configFile { return try runMany(of: configFile, in: console) }
    try reject(if: checksOnly, "--check is for the file of --config.", hint: "Add --config.")
    let plan = try LivePlan(self)
    return plan.run(replacing: overwriteError(of: plan), in: console)
  }
}

extension StreamCommand {
  /// The options for saved files.
  var fileOptions: FileOutput.Options {
    var options = FileOutput.Options()
    options.replacesExisting = replacesExisting
    options.finish = finish ?? .automatic
    return options
  }

  /// Returns an error if an output would overwrite a file that the stream reads.
  func overwriteError(of plan: LivePlan) -> CommandFailure? {
    let sources = SourceFiles(
      plan.sound.filePaths
        + [file, metadataFile, credentialsFile, certificateFile].compactMap(\.self))
    for track in plan.sound.tracks {
      let path = plan.configuration.multitrack?.path(of: track.configuration.name)
      if let path, let input = sources.replaced(byRecordingTo: path) {
        return .isInput(input, option: "--multitrack")
      }
    }
    for output in plan.outputs {
      switch output {
      case .save(let path, _, _):
        if let path = sources.replaced(byRecordingTo: path) {
          return .isInput(path, option: "--save")
        }
      case .hls(let hls):
        for path in hls.ownFiles where sources.contains(path) {
          return .isInput(path, option: "--hls")
        }
      case .server: break
      }
    }
    return nil
  }
}

extension LivePlan.HLS {
  /// The paths of files in the output folders with generated names, which HLS may replace or
  /// remove.
  fileprivate var ownFiles: [String] {
    let endings = [".m3u8", ".mp4", ".m4s", ".aac"]
    return folders.flatMap { folder in
      let names = ((try? System.names(inFolder: folder)) ?? []).filter { name in
        name.hasPrefix(configuration.name) && endings.contains { name.hasSuffix($0) }
      }
      return names.map { FileName.joined(folder, $0) }
    }
  }
}

extension StreamCommand {
  /// Runs or checks the streams of a file.
  func runMany(of path: String, in console: Console) throws(UsageError) -> ExitStatus {
    if let file {
      throw UsageError(
        "With --config, the sources are in its file, but “\(displayed(file))” was also given.",
        hint: "Omit one of them.")
    }
    if let option = Set(givenOptions).subtracting(StreamSettings.allowedWithConfig).min() {
      throw UsageError(
        "With --config, --\(option) belongs in the file.",
        hint: "Write it there as “\(option) = …”, before the first [NAME] for all streams.")
    }
    // From here on, even during the initial read, SIGHUP requests a reload and does not end the
    // program.
    if !checksOnly { console.beginLongWork() }
    let list: StreamList
    do throws(StreamsMistakes) {
      list = try StreamList(readingFrom: path, self)
    } catch {
      report(error, in: console)
      return .usage
    }
    if !checksOnly {
      var run = ManyStreamsRun(self, path, in: console)
      return run.run(list)
    }
    warn(about: list, in: console)
    let count = list.entries.count
    if report.printsJSON {
      console.print(
        .event("checked", ["file": .text(path), "streams": .integer(count)]))
    } else if !report.isQuiet {
      console.print("\(displayed(path)): \(QuantityText.count(count, "stream")), no mistakes")
    }
    return .success
  }

  /// Prints warnings about valid but probably unintended settings.
  private func warn(about list: StreamList, in console: Console) {
    if report.isQuiet { return }
    if let warning = DescriptorEstimate.warning(for: list, besides: self) {
      warn(warning, in: console)
    }
    for notice in list.notices { warn(notice, in: console) }
    for entry in list.entries {
      let missing = entry.plan.sound.filePaths.filter { (try? System.status(of: $0)) == nil }
      let messages = missing.map { path in
        "“\(displayed(path))” does not exist yet. The stream retries until it does."
      }
      var own = console
      own.stream = entry.name
      for message in entry.plan.warnings + messages { warn(message, in: own) }
    }
  }

  private func warn(_ message: String, in console: Console) {
    guard report.printsJSON else { return console.printError("Warning: " + message) }
    console.print(.event("warning", ["message": .text(message)]))
  }

  private func report(_ mistakes: StreamsMistakes, in console: Console) {
    if report.printsJSON {
      for mistake in mistakes.all {
        console.print(.event("mistake", mistake.json(in: mistakes.path)))
      }
      return
    }
    for message in mistakes.messages { console.printError(message) }
    if mistakes.all.count > 1 {
      console.printError("\(mistakes.all.count) mistakes; nothing was started.")
    }
  }
}

/// A file with the current title in its first line, which other programs update.
struct MetadataFile: Sendable {
  let path: String

  /// The maximum number of bytes to read.
  private static let maxByteCount = 4096

  init(_ path: String) {
    self.path = path
  }

  /// Returns the current content, or nil if the file cannot be read.
  func read() -> LiveMetadata? {
    // Do not read a named pipe: reading would consume its content.
    guard (try? System.status(of: path))?.kind == .file,
      let file = try? System.open(path, for: .reading, waits: false)
    else { return nil }
    defer { try? System.close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.maxByteCount)
    guard let count = try? System.read(file, into: &bytes, at: 0) else { return nil }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return Self.metadata(in: text.prefix { !$0.isNewline })
  }

  /// Parses `Artist - Title`, also with an en dash, or a title alone.
  static func metadata(in line: some StringProtocol) -> LiveMetadata {
    // Remove a byte order mark, which some editors insert.
    let text = String(line).replacing("\u{FEFF}", with: "").trimmed
    let dashes = [" - ", " – "].compactMap { text.firstRange(of: $0) }
    guard let dash = dashes.min(by: { $0.lowerBound < $1.lowerBound }) else {
      return LiveMetadata(title: text.isEmpty ? nil : text)
    }
    let artist = text[..<dash.lowerBound].trimmed
    let title = text[dash.upperBound...].trimmed
    return LiveMetadata(
      title: title.isEmpty ? nil : title, artist: artist.isEmpty ? nil : artist)
  }
}
