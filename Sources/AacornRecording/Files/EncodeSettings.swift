import AacornCodec
import AacornSignal
import AacornSoundFiles
import AacornSystem

extension EncodeOptions {
  /// The profile; nil if it depends on the bitrate.
  ///
  /// Without a requested profile, options that only AAC-LC supports imply AAC-LC.
  fileprivate var wantedProfile: AACEncoder.Profile? {
    profile ?? (bandwidth != nil || isMPEG2 ? .lowComplexity : nil)
  }

  /// The signaling of HE-AAC; nil if another option implies AAC-LC.
  fileprivate var wantedSignaling: AudioSpecificConfig.Signaling? {
    profile == nil && wantedProfile != nil ? nil : signaling
  }
}

/// The settings for one input, derived from the options and the input's properties.
struct EncodeSettings {
  let configuration: AACEncoder.Configuration
  let conversion: AudioConversion
  /// The effects for the converted samples.
  let effects: [EffectDescription]
  /// Warnings about decisions that were not requested, as messages.
  private(set) var warnings: [String] = []

  /// Derives all settings, or throws the reason why that is impossible.
  init(
    _ options: EncodeOptions, for info: PCMFileInfo, name: String
  ) throws(AACFileError) {
    do throws(AudioConversion.Failure) {
      conversion = try AudioConversion(
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
        "“\(displayed(name))” has \(QuantityText.frequency(given)), which AAC does not support; "
          + "it was converted to \(QuantityText.frequency(rate)).")
    }
  }
}
