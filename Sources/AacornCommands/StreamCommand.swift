import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

/// The command `aacorn stream`.
struct StreamCommand: Subcommand, SoundCommand {
  var file: String?
  var sound = SoundChoice()
  /// The codings for HLS; other outputs get the first one.
  var renditions: [StreamRendition] = []
  /// The bitrates of the renditions that `--icecast-bitrate` and similar options select, by output
  /// kind.
  var chosenBitrates: [OutputStatus.Kind: Int] = [:]
  var milliseconds: Int?

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
  var queueMilliseconds: Int?
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
  /// The long names of the options on the command line.
  var givenOptions: Set<String> = []

  var statusAddress: ListenAddress?
  var printsJSON = false
  var isVerbose = false
  var isQuiet = false

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
    if checksOnly {
      throw UsageError("--check is for the file of --config.", hint: "Add --config.")
    }
    let plan = try LivePlan(self)
    return plan.run(replacing: overwriteError(of: plan), in: console)
  }
}

extension StreamCommand {
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
