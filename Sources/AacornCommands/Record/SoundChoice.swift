import AacornCodec
import AacornDevices
import AacornRecording
import AacornSystem

/// Which audio to capture and how to code it, as the options say; shared by all capturing commands.
struct SoundChoice: Sendable {
  var device: String?
  var backend: CaptureBackend?
  /// Counted from 0; empty means all.
  var channelMap: [Int] = []
  var isVoiceProcessed = false
  /// Whether audio that the program generates or reads itself comes as fast as possible.
  var isUnpaced = false
  /// Whether nobody can begin to hear it meanwhile.
  var isUnattended = false
  /// Whether a file restarts at its end.
  var isLooped = false
  /// What options say about tracks.
  var wishes = TrackWishes()
  /// The tracks if there are any, the source of the first one being the device; known once they are
  /// settled.
  var tracks: [Track] = []
  /// Where each of them gets a file of its own.
  var multitrackFolder: String?

  /// What the rate, the channels and the coding begin with.
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
  /// How it is heard meanwhile.
  var monitor: MonitorConfiguration?
}

/// A command that captures audio.
protocol SoundCommand: Sendable {
  var sound: SoundChoice { get set }
}

extension SoundChoice {
  /// Whether the program itself generates or reads the audio.
  var isSynthetic: Bool {
    // Of the sources of several tracks, a system is chosen for those that are devices.
    if let first = tracks.first, first.isSynthetic { return true }
    if let backend { return backend == .synthetic }
    guard let device else { return false }
    return SyntheticSystem.BuiltIn(rawValue: device) != nil || isFile
  }

  /// Whether the audio is that of a file.
  var isFile: Bool { device?.hasPrefix("file:") == true }

  /// The file to play; nil if the audio comes from elsewhere.
  var filePath: String? { device.flatMap { SyntheticSystem.fileDevice(id: $0)?.path } }

  /// Whether it never ends by itself.
  var isEndless: Bool { isLooped || !isFile }

  /// The rate of the file to play, or the nearest one that AAC has: what is played from a file is
  /// not converted without need.
  private var fileRate: Int? {
    filePath.flatMap { try? FileSignal(path: $0) }.map {
      SoundConversion.suitableRate(for: $0.sampleRate)
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
    if monitor != nil { configuration.monitor = hearing }
    return configuration
  }

  /// AAC at the requested rate, or else at the profile's usual one.
  ///
  /// Throws if the encoder rejects it; a bitrate is then called by `name`, if it has one.
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
        throw UsageError(error.commandSentence)
      }
      let chosen = AACEncoder.Configuration(
        sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
        rateControl: rateControl, profile: profile
      ).profile
      let rate = QuantityText.frequency(configuration.sampleRate)
      let channels = QuantityText.count(configuration.channelCount, "channel")
      throw UsageError(
        "\(name ?? "A bitrate of \(requested) bits per second") is out of range for \(chosen.name).",
        advice: "With \(rate) and \(channels), choose from \(lowest) to \(highest).")
    }
  }

  /// The request to a system.
  func request(
    _ backend: CaptureBackend, for configuration: RecordingConfiguration
  ) -> CaptureRequest {
    var request = CaptureRequest(
      device: device, isVoiceProcessed: isVoiceProcessed, from: backend, for: configuration)
    // Of hundreds of files in real time, waking two threads for each block is a good part of the work.
    if isUnattended && backend == .synthetic && configuration.monitor == nil {
      request.blockDuration = .milliseconds(40)
    }
    return request
  }

  /// Rejects options that are impossible without a clock.
  func checkPace(hasLength: Bool) throws(UsageError) {
    guard isUnpaced else { return }
    if !isSynthetic {
      throw UsageError(
        "Only files and test signals can be --unpaced.", advice: "Try --device tone.")
    }
    if monitor != nil {
      throw UsageError(
        "--monitor cannot be used with --unpaced.", advice: "Omit --monitor.")
    }
    if isEndless && !hasLength {
      throw UsageError("A test signal has no end.", advice: "Give a duration, such as -d 10s.")
    }
  }

  /// How it is heard, once it is: on the system that was chosen for the sound.
  var hearing: MonitorConfiguration {
    var hearing = monitor ?? MonitorConfiguration()
    if backend != .synthetic { hearing.backend = backend }
    return hearing
  }

  /// Changes how it is heard, on the default output unless another one is named.
  mutating func hear(_ change: (inout MonitorConfiguration) -> Void) {
    var monitor = self.monitor ?? MonitorConfiguration()
    change(&monitor)
    self.monitor = monitor
  }

  /// Whether what is recorded is heard, rather than what comes in.
  var hearsRecording: Bool {
    get { monitor?.point == .recording }
    set { hear { $0.point = newValue ? .recording : .source } }
  }

  mutating func choose(_ rateControl: AACEncoder.RateControl) throws(UsageError) {
    let isSameKind =
      switch (self.rateControl, rateControl) {
      case (nil, _), (.constant, .constant), (.average, .average), (.variable, .variable): true
      default: false
      }
    if !isSameKind { throw UsageError("The options -b, --abr and --vbr exclude each other.") }
    self.rateControl = rateControl
  }
}
