import AacornCodec
import AacornSignal
import AacornSoundFiles
import AacornSystem

extension EncodeOptions {
  /// The profile; nil if the bitrate decides, which it does not where only AAC-LC obeys an option.
  fileprivate var wantedProfile: AACEncoder.Profile? {
    profile ?? (bandwidth != nil || isMPEG2 ? .lowComplexity : nil)
  }

  /// The signaling; nil if there is none because the profile gave way to such an option.
  fileprivate var wantedSignaling: AudioSpecificConfig.Signaling? {
    profile == nil && wantedProfile != nil ? nil : signaling
  }
}

/// The settings for one input, derived from what was asked for and from the input's properties.
struct EncodeSettings {
  let configuration: AACEncoder.Configuration
  /// The conversion of the samples for encoding.
  let conversion: SoundConversion
  /// What the converted samples go through.
  let effects: [EffectDescription]
  /// Decisions that were not requested, as sentences.
  private(set) var warnings: [String] = []

  /// Decides everything, or throws why that is impossible.
  init(
    _ options: EncodeOptions, for info: PCMFileInfo, name: String
  ) throws(AACFileError) {
    do throws(SoundConversion.Failure) {
      conversion = try SoundConversion(
        from: info.format, byteCount: info.dataByteCount, sampleRate: options.sampleRate,
        channelCount: options.channelCount)
    } catch {
      throw AACFileError(error, name: name)
    }
    let (rate, channelCount) = (conversion.sampleRate, conversion.channelCount)
    var configuration = AACEncoder.Configuration(
      sampleRate: rate, channelCount: channelCount, rateControl: options.rateControl,
      effort: options.effort, profile: options.wantedProfile, signaling: options.wantedSignaling)
    configuration.bandwidth = options.bandwidth
    configuration.isMPEG2 = options.isMPEG2
    self.configuration = configuration
    effects = options.effects
    let given = info.format.sampleRate
    if options.sampleRate == nil && rate != given {
      warnings.append(
        "“\(displayed(name))” has \(QuantityText.frequency(given)), for which AAC has "
          + "no code; it was converted to \(QuantityText.frequency(rate)).")
    }
  }
}
