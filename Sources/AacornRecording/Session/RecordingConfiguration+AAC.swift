import AacornApple
package import AacornCodec
import AacornSignal

extension RecordingConfiguration {
  /// The relation of samples to coded units; PCM has one sample per unit.
  package var timing: StreamTiming { timing(of: 0) }

  /// Returns the timing of a rendition, or of the first one if there is no rendition with this
  /// number.
  package func timing(of rendition: Int) -> StreamTiming {
    let chosen =
      furtherCodings.indices.contains(rendition - 1) ? furtherCodings[rendition - 1] : coding
    return settings(chosen)?.timing ?? StreamTiming(sampleRate: sampleRate, samplesPerUnit: 1)
  }

  /// Returns the bitrates that a rendition may change to while it is encoded.
  ///
  /// Rendition 0 is the recording's coding; its further codings are renditions 1, 2 and so on. The
  /// result is nil for samples, at a constant quality, with the system's encoder, and for an
  /// unknown rendition.
  public func adaptableBitrates(ofRendition rendition: Int = 0) -> ClosedRange<Int>? {
    let codings = [coding] + furtherCodings
    guard backEnd == .own, codings.indices.contains(rendition) else { return nil }
    return settings(codings[rendition])?.adaptableBitrates
  }

  /// Returns the encoder's settings for a coding of this recording; nil for samples.
  func settings(_ coding: Coding) -> AACEncoder.Configuration? {
    guard case .aac(let rateControl, let effort, let profile, let signaling) = coding else {
      return nil
    }
    return AACEncoder.Configuration(
      sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl, effort: effort,
      profile: profile, signaling: signaling)
  }

  /// Returns the AAC coding for this recording with a rate control, or at the encoder's default
  /// bitrate.
  ///
  /// Without a profile, the bitrate or quality determines the profile. Throws if the encoder
  /// rejects the settings.
  package func aac(
    _ rateControl: AACEncoder.RateControl?, _ effort: AACEncoder.Effort,
    _ profile: AACEncoder.Profile? = .lowComplexity,
    signaling: AudioSpecificConfig.Signaling? = nil
  ) throws(RecordingError) -> Coding {
    let settings = AACEncoder.Configuration(
      sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl, effort: effort,
      profile: profile, signaling: signaling)
    do throws(EncoderError) {
      try settings.validate()
    } catch {
      throw .encoder(error)
    }
    return .aac(
      rateControl: settings.rateControl, effort: effort, profile: settings.profile,
      signaling: settings.signaling)
  }

  /// Throws if the encoder rejects a coding of this recording.
  func validate(_ coding: Coding) throws(RecordingError) {
    guard let chosen = settings(coding) else {
      let (channels, rates) = (1...PCMDescription.maxChannelCount, 1...1_000_000)
      if channels.contains(channelCount), rates.contains(sampleRate) { return }
      throw .output(
        OutputError(
          .unsupported,
          "Samples cannot be recorded with \(channelCount) channels at \(sampleRate) Hz. Choose 1 to "
            + "\(channels.upperBound) channels and 1 to \(rates.upperBound) Hz."))
    }
    if backEnd == .own {
      do throws(EncoderError) {
        try chosen.validate()
      } catch {
        throw .encoder(error)
      }
    }
    do throws(AACBackEndError) {
      try backEnd.validate(chosen)
    } catch {
      throw .backEnd(error)
    }
  }
}
