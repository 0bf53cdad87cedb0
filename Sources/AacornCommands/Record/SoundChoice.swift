import AacornCodec
import AacornDevices
import AacornRecording

/// Which sound is taken and how it is coded, as the options say; the commands that capture sound
/// have these in common.
struct SoundChoice: Sendable {
  var device: String?
  var backend: CaptureBackend?
  /// Counted from 0; empty takes all.
  var channelMap: [Int] = []
  var isVoiceProcessed = false
  /// Whether a sound that the program makes or reads itself comes as fast as it can.
  var isUnpaced = false
  /// Whether a file begins anew at its end.
  var isLooped = false

  var sampleRate: Int?
  var channelCount: Int?
  var rateControl: AACEncoder.RateControl?
  var effort: AACEncoder.Effort?
  var gain = 0.0
  var isMuted = false
  var followsWallClock = false
}

/// A command that captures sound.
protocol SoundCommand: Sendable {
  var sound: SoundChoice { get set }
}

extension SoundChoice {
  /// Whether the sound is made or read by the program itself.
  var isSynthetic: Bool {
    if let backend { return backend == .synthetic }
    guard let device else { return false }
    return SyntheticSystem.BuiltIn(rawValue: device) != nil || device.hasPrefix("file:")
  }

  /// The file that is played; nil if the sound comes from elsewhere.
  var filePath: String? { device.flatMap { SyntheticSystem.fileDevice(id: $0)?.path } }

  /// Whether it comes to an end by itself.
  var isEndless: Bool { isLooped || !(device ?? "").hasPrefix("file:") }

  /// What is asked for, but for the coding.
  var configuration: RecordingConfiguration {
    let mapped = channelMap.isEmpty ? nil : channelMap.count
    var configuration = RecordingConfiguration(
      sampleRate: sampleRate ?? 44_100, channelCount: channelCount ?? mapped ?? 2)
    configuration.channelMap = channelMap
    configuration.gain = Gain.factor(decibels: gain)
    configuration.isMuted = isMuted
    configuration.followsWallClock = followsWallClock
    return configuration
  }

  /// AAC at the rate that was asked for, if the encoder takes it, or else near the usual one.
  func coding(
    for configuration: RecordingConfiguration, usualBitrate: Int
  ) throws(UsageError) -> RecordingConfiguration.Coding {
    do throws(RecordingError) {
      return try configuration.aac(rateControl, effort ?? .balanced, usualBitrate: usualBitrate)
    } catch {
      throw UsageError(error.sentence)
    }
  }

  /// What a system is asked for.
  func request(
    _ backend: CaptureBackend, for configuration: RecordingConfiguration
  ) -> CaptureRequest {
    CaptureRequest(
      device: device, isVoiceProcessed: isVoiceProcessed, from: backend, for: configuration)
  }

  /// Refuses what cannot be had without a clock.
  func checkPace(hasLength: Bool) throws(UsageError) {
    guard isUnpaced else { return }
    if !isSynthetic {
      throw UsageError("Only built-in sounds can be --unpaced.", advice: "Try --device tone.")
    }
    if isEndless && !hasLength {
      throw UsageError("A built-in sound never ends.", advice: "Say how long, such as -d 10s.")
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
