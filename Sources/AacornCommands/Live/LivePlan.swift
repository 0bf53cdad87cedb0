import AacornCodec
import AacornContainers
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// A validated plan of a recording or a stream: its input, outputs and options.
///
/// No device or connection is open yet.
struct LivePlan: Sendable {
  struct HLS: Sendable {
    var folders: [String] = []
    /// The upload addresses, as given.
    var origins: [String] = []
    /// The upload addresses with credentials.
    var uploads: [HLSUploadConfiguration] = []
    /// Whether old files are removed from the upload servers.
    var removesOldFiles = false
    /// The address of the built-in server.
    var address: ListenAddress?
    var configuration = HLSConfiguration()
    /// The title of the player's page.
    var title = "Live"

    var isRequested: Bool { !folders.isEmpty || !origins.isEmpty || address != nil }
  }

  enum Output: Sendable {
    case server(LiveServer)
    case hls(HLS)
    case save(File)
  }

  struct File: Sendable {
    /// The path of the file; `-` for standard output.
    var path: String
    var format: FileFormat
    var options: FileOutput.Options

    /// Whether the audio is written to standard output; results then go to standard error.
    var isPiped: Bool { path == "-" }
  }

  let sound: SoundChoice
  /// The only output of a recording; nil for a stream.
  let recording: File?
  var configuration: RecordingConfiguration
  var outputs: [Output] = []
  /// The renditions that options select, by the kind of output.
  private(set) var renditions: [OutputStatus.Kind: Int] = [:]
  private(set) var liveOptions = LiveOptions()
  /// The adaptation of the bitrate; nil for a fixed bitrate.
  private(set) var adaptation: Adaptation?
  private(set) var metadata = LiveMetadata()
  private(set) var metadataFile: MetadataFile?
  private(set) var statusAddress: ListenAddress?
  /// Removes passwords and keys from messages of servers and libraries.
  private(set) var redactor = Redactor([])
  /// The warnings to print at the start.
  private(set) var warnings: [String] = []
  let report: ReportChoice

  init(
    _ command: StreamCommand, environment: (String) -> String? = System.environment
  ) throws(UsageError) {
    try Self.checkAdaptiveOptions(command)
    try Self.checkOptions(command)
    recording = nil
    sound = try Self.sound(command)
    configuration = try Self.configuration(command, sound)
    adaptation = try Self.adaptation(command, configuration)
    metadata = try Self.metadata(command)
    metadataFile = command.metadataFile.map(MetadataFile.init)
    statusAddress = command.statusAddress
    liveOptions.attemptLimit = command.attemptLimit
    if let duration = command.queueDuration { liveOptions.queueDuration = duration }

    var servers = try StreamServers(command, environment: environment)
    outputs =
      try servers.icecast() + servers.rtmp()
      + Self.hls(command, configuration, servers.hlsUploads())
      + Self.saves(command)
    renditions = try Self.renditions(command)
    try Self.checkSignaling(configuration, outputs, renditions)
    redactor = Redactor(servers.secrets)
    report = command.report
    warnings =
      servers.warnings
      + [
        command.hls.address?.warning(option: "--hls-serve"),
        command.statusAddress?.warning(option: "--listen-status"),
        command.hls.memoryWarning(configuration),
        titleWarning,
      ].compactMap(\.self)
    try trackKeys.check(isQuiet: report.isQuiet)
    try reject(
      if: outputs.isEmpty, "There is no output.",
      hint: "Use --icecast, --rtmp, --hls, --hls-serve or --save.")
  }

  init(_ command: RecordCommand) throws(UsageError) {
    var command = command
    command.sound = try command.sound.resolved()
    let recording = try File(command)
    var configuration = try Self.configuration(command, recording.format)
    try command.sound.checkTracks(channelCount: configuration.channelCount)
    configuration.multitrack = try command.sound.multitrack(
      besides: recording.isPiped ? nil : recording.path, recording.format, recording.options)
    sound = command.sound
    self.recording = recording
    self.configuration = configuration
    report = command.report
    try Self.check(command, recording)
    try trackKeys.check(isQuiet: report.isQuiet)
  }

  var isRecording: Bool { recording != nil }

  /// The format of the file; a stream is AAC.
  var format: FileFormat { recording?.format ?? .aac }

  /// The word for the result in messages.
  var noun: String { isRecording ? "recording" : "stream" }

  /// Returns the console for a run: results of a piped recording go to standard error.
  func resultConsole(_ console: Console) -> Console {
    var console = console
    if recording?.isPiped == true { console.output = console.errors }
    return console
  }

  /// The keys that start and stop tracks.
  var trackKeys: TrackKeys { TrackKeys(sound.tracks) }

  /// Returns the rate and the codings.
  ///
  /// The first coding is the default of all outputs.
  private static func configuration(
    _ command: StreamCommand, _ sound: SoundChoice
  ) throws(UsageError) -> RecordingConfiguration {
    var configuration = sound.configuration
    configuration.duration = command.duration
    var codings: [RecordingConfiguration.Coding] = []
    let profiles = command.renditions.map { $0.profile ?? sound.encoding.profile ?? .lowComplexity }
    if !profiles.isEmpty && profiles.allSatisfy({ $0 == .lowComplexity }) {
      try SignalingOption.check(sound.encoding.signaling?.signaling, with: .lowComplexity)
    }
    for rendition in command.renditions {
      var choice = sound
      choice.encoding.profile = rendition.profile ?? sound.encoding.profile
      // AAC-LC has no extension to signal.
      if (choice.encoding.profile ?? .lowComplexity) == .lowComplexity {
        choice.encoding.signaling = nil
      }
      choice.encoding.rateControl = .constant(bitsPerSecond: rendition.bitrate)
      let name = "The \(rendition.name) of --bitrates"
      codings.append(try choice.coding(for: configuration, bitrateName: name))
    }
    if codings.isEmpty {
      codings = [try sound.coding(for: configuration)]
    }
    configuration.coding = codings.removeFirst()
    configuration.furtherCodings = codings
    try sound.checkTracks(channelCount: configuration.channelCount)
    configuration.multitrack = try sound.multitrack(besides: nil, .m4a, command.fileOptions)
    return configuration
  }

  private static func sound(_ command: StreamCommand) throws(UsageError) -> SoundChoice {
    var sound = try command.sound.resolved()
    if let file = command.file {
      try reject(
        if: sound.device != nil || sound.backend != nil,
        "The source cannot be both “\(displayed(file))” and a device.",
        hint: "Omit the file, or --device, --source and --backend.")
      if file == "-" {
        throw UsageError(
          "The source cannot be standard input.", hint: "Name a sound file.")
      }
      sound.device = "file:" + file
    }
    try reject(
      if: sound.isLooped && !sound.isFile, "Only a file can be looped with --loop.",
      hint: "Name a file.")
    try sound.checkTimes(until: command.duration)
    return sound
  }

  private static func metadata(_ command: StreamCommand) throws(UsageError) -> LiveMetadata {
    guard let line = command.metadata else {
      return LiveMetadata(title: command.title, artist: command.artist)
    }
    try reject(
      if: command.title != nil || command.artist != nil,
      "The option --metadata excludes --title and --artist.")
    return MetadataFile.metadata(in: line)
  }

  /// The warning about outputs that do not carry the titles; nil if there are none.
  private var titleWarning: String? {
    if metadata.line == nil && metadataFile == nil { return nil }
    var hasHLS = false
    var hasFiles = false
    for output in outputs {
      switch output {
      case .server: break
      case .hls: hasHLS = true
      // A saved M4A file has the constant title in its tags.
      case .save(let file):
        let tags = file.options.tags
        let hasTags = tags.title != nil || tags.artist != nil
        if !hasTags || metadataFile != nil { hasFiles = true }
      }
    }
    let subject: String
    switch (hasHLS, hasFiles) {
    case (true, true): subject = "HLS and saved files do"
    case (true, false): subject = "HLS does"
    case (false, true): subject = "Saved files do"
    case (false, false): return nil
    }
    return "\(subject) not carry titles: only Icecast and RTMP do."
  }

  // MARK: - Outputs without a server

  private static func hls(
    _ command: StreamCommand, _ configuration: RecordingConfiguration,
    _ uploads: [HLSUploadConfiguration]
  ) throws(UsageError) -> [Output] {
    var hls = command.hls
    hls.uploads = uploads
    try reject(
      if: hls.removesOldFiles && hls.origins.isEmpty,
      "--hls-delete is for HLS uploads; in a folder, old segments are always removed.",
      hint: "Omit it, or add --hls https://…")
    if !hls.isRequested {
      if let option = command.hlsOption {
        throw UsageError("--\(option) is for HLS.", hint: "Add --hls or --hls-serve.")
      }
      try reject(
        if: !command.renditions.isEmpty && command.chosenBitrates.isEmpty,
        "--bitrates is for HLS, or for outputs that get different ones.",
        hint: "Add --hls or --hls-serve, or an option such as --save-bitrate.")
      return []
    }
    try reject(
      if: hls.configuration.partDuration != nil && hls.address == nil,
      "--hls-part needs the built-in server.", hint: "Add --hls-serve.")
    try reject(
      if: hls.configuration.kind == .vod && hls.address != nil && hls.folders.isEmpty
        && hls.origins.isEmpty,
      "A vod playlist is complete only at the end, when the server stops.",
      hint: "Add --hls, or use --hls-type event.")
    try hls.checkMemory(configuration)
    hls.configuration.renditionNames = command.renditions.map(\.name)
    if let title = command.station.name ?? command.title { hls.title = title }
    if let fault = hls.configuration.fault { throw UsageError(fault) }
    if let folder = firstDuplicate(hls.folders) {
      throw UsageError("HLS would be written to “\(displayed(folder))” twice.")
    }
    var addresses: Set<String> = []
    if let twice = uploads.first(where: {
      !addresses.insert("\($0.address)?\($0.query ?? "")").inserted
    }) {
      throw UsageError("HLS would be uploaded to “\(displayed(twice.address))” twice.")
    }
    return [.hls(hls)]
  }

  private static func saves(_ command: StreamCommand) throws(UsageError) -> [Output] {
    if let path = firstDuplicate(command.saves) {
      throw UsageError("The stream would be saved as “\(displayed(path))” twice.")
    }
    var outputs: [Output] = []
    for path in command.saves {
      guard let format = FileFormat(path: path), !format.isPCM else {
        throw UsageError(
          "A stream is saved as AAC, which the suffix of “\(displayed(path))” does not match.",
          hint: "Use .m4a or .aac; for others use “aacorn record”.")
      }
      var options = command.fileOptions
      if format == .m4a {
        options.tags.title = command.title
        options.tags.artist = command.artist
      }
      outputs.append(.save(File(path: path, format: format, options: options)))
    }
    return outputs
  }

  private static func firstDuplicate(_ paths: [String]) -> String? {
    var seen: Set<String> = []
    return paths.first { !seen.insert(FileName.canonical($0)).inserted }
  }

  // MARK: - Conflicts

  private static func checkOptions(_ command: StreamCommand) throws(UsageError) {
    try reject(
      if: !command.renditions.isEmpty && command.sound.encoding.rateControl != nil,
      "The options --bitrates and -b, --abr or --vbr exclude each other.")
    try reject(
      if: command.icecasts.isEmpty && command.station != StreamCommand.Station(),
      "The options --name, --description, --genre, --website and --public are for Icecast.",
      hint: "Add --icecast.")
    if let hls = command.hls.address, let status = command.statusAddress, hls.overlaps(status) {
      throw UsageError(
        "--hls-serve and --listen-status cannot both use port \(hls.port).",
        hint: "Choose another port for one of them.")
    }
    let hasLiveServers = !command.icecasts.isEmpty || !command.rtmps.isEmpty
    try reject(
      if: !hasLiveServers && command.queueDuration != nil,
      "--reconnect-queue is for Icecast and RTMP.", hint: "Add --icecast or --rtmp.")
    if !hasLiveServers && command.hls.origins.isEmpty {
      let options: [(name: String, isGiven: Bool)] = [
        ("--certificate", command.certificateFile != nil), ("--proxy", command.proxy != nil),
        ("--retry", command.attemptLimit != nil),
        ("--adaptive", command.isAdaptive),
      ]
      if let option = options.first(where: \.isGiven) {
        throw UsageError("\(option.name) is for servers.", hint: "Add --icecast or --rtmp.")
      }
    } else if command.sound.isUnpaced {
      throw UsageError(
        "Servers accept audio only in real time.",
        hint: "Use --unpaced with --save and --hls DIR alone.")
    }
  }

}

extension AACEncoder.RateControl {
  /// The setting as human-readable text, such as “128 kb/s”.
  var description: String {
    switch self {
    case .constant(let rate): QuantityText.bitrate(Double(rate))
    case .average(let rate): QuantityText.bitrate(Double(rate)) + " on average"
    case .variable(let level): "quality \(level)"
    }
  }
}
