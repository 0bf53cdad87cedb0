import AacornCodec
import AacornDevices
import AacornRecording
import AacornSystem

/// The audio to capture and its coding, as requested by options.
///
/// Shared by all capturing commands.
struct SoundChoice: Sendable {
  var device: String?
  var backend: DeviceBackend?
  /// The channels of the device, from 0; empty for all.
  var channelMap: [Int] = []
  var isVoiceProcessed = false
  /// Whether files and test signals run as fast as possible.
  var isUnpaced = false
  /// Whether a file restarts at its end.
  var isLooped = false
  /// The options about tracks, as typed.
  var trackArguments = TrackArguments()
  /// The tracks, set by `resolved()`.
  ///
  /// The source of the first track is the device.
  var tracks: [Track] = []
  /// The folder for separate files of the tracks.
  var multitrackFolder: String?

  var encoding = EncodingChoice()
  var gain = 0.0
  var isMuted = false
  var followsWallClock = false
  /// The monitor during the recording; nil if it is off.
  var monitor: MonitorConfiguration?
}

/// A command that captures audio.
protocol SoundCommand: Sendable {
  var sound: SoundChoice { get set }
  var duration: Duration? { get set }
}

extension SoundCommand {
  static var durationOption: CommandSyntax<Self>.Option {
    .value(
      "duration", short: "d", alias: "t", .text("TIME"),
      "Stop after this duration: 10s, 1.5m, 2h or 1:30:00.", \.duration, OptionValue.time)
  }
}

extension SoundChoice {
  /// Whether the program itself generates or reads the audio.
  var isSynthetic: Bool {
    // The first track decides, because a selected system applies only to the tracks with devices.
    if let first = tracks.first, first.isSynthetic { return true }
    if let backend { return backend == .synthetic }
    guard let device else { return false }
    return SyntheticSystem.BuiltIn(rawValue: device) != nil || isFile
  }

  /// Whether the audio is read from a file.
  var isFile: Bool { device?.hasPrefix("file:") == true }

  /// The path of the file to play; nil for other sources.
  var filePath: String? { device.flatMap { SyntheticSystem.fileDevice(id: $0)?.path } }

  /// The sampling rate of the file to play, or the nearest one that AAC supports.
  ///
  /// Avoids an unnecessary conversion.
  private var fileRate: Int? {
    filePath.flatMap { try? FileSignal(path: $0) }.map {
      AudioConversion.suitableRate(for: $0.sampleRate)
    }
  }

  /// The requested configuration, without the coding.
  var configuration: RecordingConfiguration {
    let mapped = channelMap.isEmpty ? nil : channelMap.count
    var configuration = RecordingConfiguration(
      sampleRate: encoding.sampleRate ?? fileRate ?? AACEncoder.defaultSampleRate,
      channelCount: encoding.channelCount ?? mapped ?? AACEncoder.defaultChannelCount)
    configuration.channelMap = channelMap
    configuration.gain = Gain.factor(decibels: gain)
    configuration.effects = encoding.effects
    configuration.isMuted = isMuted
    configuration.followsWallClock = followsWallClock
    if monitor != nil { configuration.monitor = monitorConfiguration }
    return configuration
  }

  /// Returns AAC at the requested bitrate or the profile's default.
  ///
  /// Throws if the encoder rejects the options.
  ///
  /// `name` is the name of the bitrate in the message.
  func coding(
    for configuration: RecordingConfiguration, bitrateName name: String? = nil
  ) throws(UsageError) -> RecordingConfiguration.Coding {
    let profile = (encoding.profile ?? .lowComplexity).profile
    let signaling = encoding.signaling?.signaling
    try SignalingOption.check(signaling, with: profile)
    do throws(RecordingError) {
      return try configuration.aac(
        encoding.rateControl, effort: encoding.effort ?? .balanced, profile: profile,
        signaling: signaling)
    } catch {
      guard case .encoder(.bitrateOutOfRange(let requested, let lowest, let highest)) = error else {
        throw UsageError(error.commandMessage)
      }
      let chosen = AACEncoder.Configuration(
        sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
        rateControl: encoding.rateControl, profile: profile
      ).profile
      let rate = QuantityText.frequency(configuration.sampleRate)
      let channels = QuantityText.count(configuration.channelCount, "channel")
      let bitrate = name ?? "A bitrate of \(QuantityText.exactBitrate(requested))"
      throw UsageError(
        "\(bitrate) is out of range for \(chosen.name).",
        hint: "With \(rate) and \(channels), choose from "
          + "\(QuantityText.bitrateRange(lowest, highest)).")
    }
  }

  /// Returns the capture request for a system.
  func request(
    _ backend: DeviceBackend, for configuration: RecordingConfiguration
  ) -> CaptureRequest {
    CaptureRequest(
      device: device, isVoiceProcessed: isVoiceProcessed, from: backend, for: configuration)
  }

  /// Rejects options that conflict with `--unpaced`, and tracks that start after the end of the
  /// recording, which is nil if it is unknown.
  func checkTimes(until end: Duration?) throws(UsageError) {
    if isUnpaced { try checkPace(hasLength: end != nil) }
    try TrackArguments.checkStarts(of: tracks, before: end)
  }

  /// Rejects options that require a clock.
  private func checkPace(hasLength: Bool) throws(UsageError) {
    try reject(
      if: !isSynthetic, "Only files and test signals can be --unpaced.", hint: "Try --device tone.")
    try reject(
      if: monitor != nil, "--monitor cannot be used with --unpaced.", hint: "Omit --monitor.")
    try reject(
      if: (isLooped || !isFile) && !hasLength, "A test signal has no end.",
      hint: "Give a duration, such as -d 10s.")
  }

  /// The configuration of the monitor, on the selected sound system.
  var monitorConfiguration: MonitorConfiguration {
    var result = monitor ?? MonitorConfiguration()
    if backend != .synthetic { result.backend = backend }
    return result
  }

  /// Changes the configuration of the monitor; the default output applies unless another one is
  /// named.
  mutating func configureMonitor(_ change: (inout MonitorConfiguration) -> Void) {
    var monitor = self.monitor ?? MonitorConfiguration()
    change(&monitor)
    self.monitor = monitor
  }
}

extension SoundChoice {
  struct Track: Sendable, Equatable {
    var configuration: TrackConfiguration
    /// The source, in the syntax of `--device`.
    var source: String

    var isFile: Bool { source.hasPrefix("file:") }
    /// Whether the program itself generates or reads the audio.
    var isSynthetic: Bool { isFile || SyntheticSystem.BuiltIn(rawValue: source) != nil }
  }

  /// Converts a value of `--source` to the syntax of `--device`.
  static func device(for source: String) -> String {
    if source.hasPrefix("file:") || SyntheticSystem.BuiltIn(rawValue: source) != nil {
      return source
    }
    let isExistingFile = (try? System.status(of: source))?.kind == .file
    // A missing sound file should be reported as such, and not as an unknown device.
    return isExistingFile || SoundSuffixes.all.contains(FileName.suffix(source))
      ? "file:" + source : source
  }

  /// Returns the choice with its tracks in order, and with the settings of its preset.
  ///
  /// The source of the first track becomes the device.
  func resolved() throws(UsageError) -> SoundChoice {
    var choice = self
    choice.encoding = encoding.completed
    choice.trackArguments = TrackArguments()
    let tracks = try trackArguments.tracks()
    try Self.checkDevices(of: tracks)
    let first = tracks.first?.source ?? trackArguments.unnamed.map { Self.device(for: $0) }
    guard let source = first else { return choice }
    if let device {
      throw UsageError(
        "The source cannot be both “\(displayed(device))” and “\(displayed(source))”.",
        hint: "Give --device or --source.")
    }
    choice.device = source
    choice.tracks = tracks
    if tracks.first?.configuration.loops == true { choice.isLooped = true }
    if isUnpaced, let other = tracks.first(where: { !$0.isSynthetic }) {
      throw UsageError(
        "The source of the track “\(displayed(other.configuration.name))” cannot be --unpaced.",
        hint: "Omit --unpaced, or use only files and test signals.")
    }
    return choice
  }

  /// Rejects a device in two tracks: its audio would be added to itself.
  private static func checkDevices(of tracks: [Track]) throws(UsageError) {
    let devices = tracks.filter { !$0.isSynthetic }
    for (index, track) in devices.enumerated() {
      let earlier = devices[..<index].first { $0.source == track.source }
      guard let other = earlier else { continue }
      throw UsageError(
        "The tracks “\(displayed(other.configuration.name))” and "
          + "“\(displayed(track.configuration.name))” have the same source, the device "
          + "“\(displayed(track.source))”.",
        hint: "Choose another one for one of them; see “aacorn devices”.")
    }
  }

  var filePaths: [String] {
    let others = tracks.dropFirst().compactMap { SyntheticSystem.fileDevice(id: $0.source)?.path }
    return [filePath].compactMap(\.self) + others
  }

  /// Returns the configuration of separate files for the tracks, if requested.
  ///
  /// `path` is the path of the mix.
  func multitrack(
    besides path: String?, _ format: FileFormat, _ options: FileOutput.Options
  ) throws(UsageError) -> Multitrack? {
    guard let folder = multitrackFolder else { return nil }
    try reject(
      if: tracks.isEmpty, "--multitrack is for tracks.",
      hint: "Name them with --source, such as --source mic=DEVICE.")
    let multitrack = Multitrack(folder, format, options: options)
    for track in tracks {
      let file = multitrack.path(of: track.configuration.name)
      if let path, FileName.canonical(path) == FileName.canonical(file) {
        throw UsageError(
          "The mix and the track “\(displayed(track.configuration.name))” would both be written to "
            + "“\(displayed(path))”.", hint: "Choose another folder or another file.")
      }
    }
    return multitrack
  }

  /// Rejects tracks that cannot be recorded together.
  func checkTracks(channelCount: Int) throws(UsageError) {
    if tracks.isEmpty { return }
    try rethrow(
      as: { (error: RecordingError) in UsageError(error.message) },
      TrackConfiguration.validate(tracks.map(\.configuration), channelCount: channelCount))
  }
}
