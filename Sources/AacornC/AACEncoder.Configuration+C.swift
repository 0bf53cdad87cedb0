import AacornCodec
import CAacorn

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
