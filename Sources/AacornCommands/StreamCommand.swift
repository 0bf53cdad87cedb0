import AacornDevices
import AacornRecording
import AacornStreaming

/// The command `aacorn stream`.
struct StreamCommand: Subcommand, SoundCommand {
  /// A file to play.
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
