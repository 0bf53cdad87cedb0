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

  /// The long name of the first given option that only HLS has.
  var hlsOption: String?

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
    for path in plan.trackPaths {
      if let input = sources.replaced(byRecordingTo: path) {
        return .isInput(input, option: "--multitrack")
      }
    }
    for output in plan.outputs {
      switch output {
      case .save(let file):
        if let path = sources.replaced(byRecordingTo: file.path) {
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
