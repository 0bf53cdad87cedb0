import AacornCodec
import AacornSignal
import CAacorn

/// An encoder of the C API.
final class EncoderHandle: Handle {
  private var encoder: AACEncoder
  private var unit = AccessUnit()
  /// The last output, which the program may read until the next call.
  private let borrowed = ByteBuffer()
  /// The range of decoded samples that belong to the input; nil until the input has ended.
  private(set) var trim: StreamTrim?
  /// Whether a writer pulls the units.
  private(set) var hasWriter = false
  private var frameCount: Int64 = 0

  /// The maximum number of samples in one call.
  ///
  /// All samples are stored until units are pulled.
  private static let maxPushSampleCount = 1 << 30
  /// The maximum total number of frames, well below an overflow of the counters.
  private static let maxFrameCount: Int64 = 1 << 52

  private init(_ encoder: AACEncoder) { self.encoder = encoder }

  static func create(
    _ configuration: AACEncoder.Configuration
  ) throws(CallError) -> EncoderHandle {
    do throws(EncoderError) {
      return EncoderHandle(try AACEncoder(configuration))
    } catch {
      throw CallError(error, configuration)
    }
  }

  var configuration: AACEncoder.Configuration { encoder.configuration }

  /// The configuration that a decoder needs before the first unit.
  var audioSpecificConfig: AudioSpecificConfig { encoder.audioSpecificConfig }

  var timing: StreamTiming { encoder.timing }

  /// Reserves the units for a writer; false if there is a writer or input already.
  func takeWriter() -> Bool {
    if hasWriter || frameCount > 0 || trim != nil { return false }
    hasWriter = true
    return true
  }

  /// Appends frames of interleaved samples.
  func push<Sample: PCMSample>(_ samples: UnsafePointer<Sample>?, _ count: Int) -> Int32 {
    if let failure = failure(toPush: count) { return fail(failure) }
    if count == 0 { return Status.ok }
    guard let start = unsafe samples else { return fail(.null("samples")) }
    let values = unsafe UnsafeBufferPointer(
      start: start, count: count * encoder.configuration.channelCount)
    unsafe encoder.encode(interleaved: values.span)
    frameCount += Int64(count)
    return Status.ok
  }

  /// Returns the reason for rejecting `count` frames, or nil.
  private func failure(toPush count: Int) -> CallError? {
    if trim != nil {
      return CallError(
        Status.moment, "The encoder was finished: create another one for more samples.")
    }
    let limit = Self.maxPushSampleCount / encoder.configuration.channelCount
    guard (0...limit).contains(count) else {
      return CallError(Status.size, "An encoder accepts at most \(limit) of these frames per call.")
    }
    if frameCount + Int64(count) > Self.maxFrameCount {
      return CallError(
        Status.size, "An encoder accepts at most \(Self.maxFrameCount) frames in all.")
    }
    return nil
  }

  /// Changes the bitrate from the next unit on.
  func setBitrate(_ bitsPerSecond: Int) -> Int32 {
    do throws(EncoderError) {
      try encoder.setBitrate(bitsPerSecond)
    } catch {
      return fail(CallError(error, configuration))
    }
    return Status.ok
  }

  func finish() -> Int32 {
    if trim == nil { trim = encoder.finish() }
    return Status.ok
  }

  /// Stores the next unit for the writer; false if it needs more samples.
  func next(into unit: inout AccessUnit) -> Bool { encoder.nextAccessUnit(into: &unit) }

  /// Lends the next unit to the caller.
  func pull(_ target: UnsafeMutablePointer<aacorn_unit>?) -> Int32 {
    guard let target = unsafe target else { return fail(.null("unit")) }
    if hasWriter {
      return fail(Status.moment, "A writer receives the units of this encoder: use the writer.")
    }
    guard encoder.nextAccessUnit(into: &unit) else { return Status.ok }
    borrowed.replace(with: unit.bytes)
    unsafe target.pointee = aacorn_unit(
      bytes: borrowed.pointer(to: UInt8.self), byte_count: unit.bytes.count,
      position: Int64(unit.samplePosition), duration: Int64(unit.sampleCount))
    return Status.some
  }

  /// Stores the properties of the encoder.
  func describe(_ target: UnsafeMutablePointer<aacorn_encoder_facts>?) -> Int32 {
    guard let target = unsafe target else { return fail(.null("facts")) }
    let configuration = encoder.configuration
    let profile =
      switch configuration.profile {
      case .lowComplexity: AACORN_PROFILE_LC
      case .highEfficiency: AACORN_PROFILE_HE
      case .highEfficiencyV2: AACORN_PROFILE_HE_V2
      }
    unsafe target.pointee = aacorn_encoder_facts(
      sample_rate: Int32(clamping: configuration.sampleRate),
      channels: Int32(clamping: configuration.channelCount), profile: Int32(profile),
      bitrate: Int32(clamping: encoder.bitrate),
      bandwidth: Int32(clamping: encoder.bandwidth),
      frames_per_unit: Int32(clamping: encoder.timing.samplesPerUnit),
      priming: Int32(clamping: encoder.timing.priming),
      remainder: trim.map { Int32(clamping: $0.remainder) } ?? -1)
    return Status.ok
  }
}

extension AACEncoder.Configuration {
  init(_ settings: aacorn_encoder_settings) throws(CallError) {
    if settings.reserved != 0 {
      throw CallError(Status.settings, "The member reserved of the settings is not 0.")
    }
    let sampleRate =
      settings.sample_rate == 0 ? AACEncoder.defaultSampleRate : Int(settings.sample_rate)
    let channelCount =
      settings.channels == 0 ? AACEncoder.defaultChannelCount : Int(settings.channels)
    let rateControl = try Self.rateControl(settings)
    let effort = try Self.effort(settings)
    let profile = try Self.profile(settings)
    let signaling = try Self.signaling(settings)
    self.init(
      sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl,
      effort: effort, profile: profile, signaling: signaling)
    if settings.bandwidth != 0 { bandwidth = Int(settings.bandwidth) }
    let flags = Int(settings.flags)
    if flags & ~AACORN_ENCODER_MPEG2 != 0 {
      throw CallError(Status.argument, "The encoder flags \(flags) contain an unknown flag.")
    }
    isMPEG2 = flags & AACORN_ENCODER_MPEG2 != 0
    try rejectContradictions()
  }

  private func rejectContradictions() throws(CallError) {
    if self.profile == .lowComplexity { return }
    if bandwidth != nil {
      throw CallError(
        Status.combination, "HE-AAC chooses its bandwidth itself: leave it 0, or choose AAC-LC.")
    }
    if isMPEG2 {
      throw CallError(
        Status.combination, "MPEG-2 has no HE-AAC: remove the flag, or choose AAC-LC.")
    }
  }

  private static func rateControl(
    _ settings: aacorn_encoder_settings
  ) throws(CallError) -> AACEncoder.RateControl? {
    let value = Int(settings.rate_value)
    switch Int(settings.rate_mode) {
    case AACORN_RATE_DEFAULT:
      if value == 0 { return nil }
      throw CallError(
        Status.combination, "The rate_value \(value) needs a rate_mode, such as a constant rate.")
    case AACORN_RATE_CONSTANT: return .constant(bitsPerSecond: value)
    case AACORN_RATE_AVERAGE: return .average(bitsPerSecond: value)
    case AACORN_RATE_VARIABLE: return .variable(level: value)
    default:
      throw CallError(Status.argument, "The rate_mode \(settings.rate_mode) is unknown.")
    }
  }

  private static func effort(
    _ settings: aacorn_encoder_settings
  ) throws(CallError) -> AACEncoder.Effort {
    switch Int(settings.effort) {
    case AACORN_EFFORT_FAST: return .fast
    case AACORN_EFFORT_DEFAULT, AACORN_EFFORT_BALANCED: return .balanced
    case AACORN_EFFORT_BEST: return .best
    default: throw CallError(Status.argument, "The effort \(settings.effort) is unknown.")
    }
  }

  private static func profile(
    _ settings: aacorn_encoder_settings
  ) throws(CallError) -> AACEncoder.Profile? {
    switch Int(settings.profile) {
    case AACORN_PROFILE_AUTO: return nil
    case AACORN_PROFILE_LC: return .lowComplexity
    case AACORN_PROFILE_HE: return .highEfficiency
    case AACORN_PROFILE_HE_V2: return .highEfficiencyV2
    default: throw CallError(Status.argument, "The profile \(settings.profile) is unknown.")
    }
  }

  private static func signaling(
    _ settings: aacorn_encoder_settings
  ) throws(CallError) -> AudioSpecificConfig.Signaling? {
    switch Int(settings.signaling) {
    case AACORN_SIGNALING_DEFAULT: return nil
    case AACORN_SIGNALING_IMPLICIT: return .implicit
    case AACORN_SIGNALING_HIERARCHICAL: return .hierarchical
    case AACORN_SIGNALING_BACKWARD_COMPATIBLE: return .backwardCompatible
    default: throw CallError(Status.argument, "The signaling \(settings.signaling) is unknown.")
    }
  }
}
