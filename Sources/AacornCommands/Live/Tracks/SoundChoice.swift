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
  /// Whether no user can switch the monitor on during the recording.
  var isUnattended = false
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

  /// The defaults of the rate, the channels and the coding.
  var preset: AACEncoder.Preset?
  var sampleRate: Int?
  var channelCount: Int?
  var rateControl: AACEncoder.RateControl?
  var effort: AACEncoder.Effort?
  var profile: ProfileChoice?
  var signaling: SignalingChoice?
  var gain = 0.0
  var effects: [EffectDescription] = []
  var isMuted = false
  var followsWallClock = false
  /// The monitor during the recording; nil if it is off.
  var monitor: MonitorConfiguration?
}

/// A command that captures audio.
protocol SoundCommand: Sendable {
  var sound: SoundChoice { get set }
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

  /// Whether the source never ends by itself.
  var isEndless: Bool { isLooped || !isFile }

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
      sampleRate: sampleRate ?? fileRate ?? AACEncoder.defaultSampleRate,
      channelCount: channelCount ?? mapped ?? AACEncoder.defaultChannelCount)
    configuration.channelMap = channelMap
    configuration.gain = Gain.factor(decibels: gain)
    configuration.effects = effects
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
    let profile = (profile ?? .lowComplexity).profile
    try SignalingOption.check(signaling?.signaling, with: profile)
    do throws(RecordingError) {
      return try configuration.aac(
        rateControl, effort ?? .balanced, profile, signaling: signaling?.signaling)
    } catch {
      guard case .encoder(.bitrateOutOfRange(let requested, let lowest, let highest)) = error else {
        throw UsageError(error.commandMessage)
      }
      let chosen = AACEncoder.Configuration(
        sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
        rateControl: rateControl, profile: profile
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
    var request = CaptureRequest(
      device: device, isVoiceProcessed: isVoiceProcessed, from: backend, for: configuration)
    // With hundreds of files, short blocks cost too many wake-ups of threads.
    if isUnattended && backend == .synthetic && configuration.monitor == nil {
      request.blockDuration = .milliseconds(40)
    }
    return request
  }

  /// Rejects options that require a clock.
  func checkPace(hasLength: Bool) throws(UsageError) {
    guard isUnpaced else { return }
    try reject(
      if: !isSynthetic, "Only files and test signals can be --unpaced.", hint: "Try --device tone.")
    try reject(
      if: monitor != nil, "--monitor cannot be used with --unpaced.", hint: "Omit --monitor.")
    try reject(
      if: isEndless && !hasLength, "A test signal has no end.",
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

  /// Whether the processed audio is monitored, instead of the input.
  var monitorsRecording: Bool {
    get { monitor?.point == .recording }
    set { configureMonitor { $0.point = newValue ? .recording : .source } }
  }
}
