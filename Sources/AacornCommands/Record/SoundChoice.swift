import AacornCodec
import AacornDevices
import AacornRecording

/// Which audio to capture and how to code it, as the options say; shared by all capturing commands.
struct SoundChoice: Sendable {
  var device: String?
  var backend: CaptureBackend?
  /// Counted from 0; empty means all.
  var channelMap: [Int] = []
  var isVoiceProcessed = false
  /// Whether audio that the program generates or reads itself comes as fast as possible.
  var isUnpaced = false
  /// Whether a file restarts at its end.
  var isLooped = false
  /// What options say about several sources.
  var wishes = TrackWishes()
  /// The sources if they are named, the first one being the device; known once they are settled.
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
  var isMuted = false
  var followsWallClock = false
}

/// A command that captures audio.
protocol SoundCommand: Sendable {
  var sound: SoundChoice { get set }
}

extension SoundChoice {
  /// Whether the program itself generates or reads the audio.
  var isSynthetic: Bool {
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
    configuration.isMuted = isMuted
    configuration.followsWallClock = followsWallClock
    return configuration
  }

  /// AAC at the requested rate, if the encoder supports it, otherwise near the default.
  func coding(
    for configuration: RecordingConfiguration
  ) throws(UsageError) -> RecordingConfiguration.Coding {
    let profile = (profile ?? .lowComplexity).profile
    try SignalingOption.check(signaling?.signaling, with: profile)
    do throws(RecordingError) {
      return try configuration.aac(
        rateControl, effort ?? .balanced, profile, signaling: signaling?.signaling)
    } catch {
      throw UsageError(error.commandSentence)
    }
  }

  /// The request to a system.
  func request(
    _ backend: CaptureBackend, for configuration: RecordingConfiguration
  ) -> CaptureRequest {
    CaptureRequest(
      device: device, isVoiceProcessed: isVoiceProcessed, from: backend, for: configuration)
  }

  /// Rejects options that are impossible without a clock.
  func checkPace(hasLength: Bool) throws(UsageError) {
    guard isUnpaced else { return }
    if !isSynthetic {
      throw UsageError("Only built-in sounds can be --unpaced.", advice: "Try --device tone.")
    }
    if isEndless && !hasLength {
      throw UsageError("A built-in sound never ends.", advice: "Give a length, such as -d 10s.")
    }
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
