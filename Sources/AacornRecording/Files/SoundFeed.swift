import AacornCodec
import AacornSignal
import AacornSoundFiles

/// Passes samples through conversion and effects to the encoder.
struct SoundFeed {
  var encoder: AACEncoder
  /// The gain for a target loudness; nil for unchanged samples.
  ///
  /// Set it before the first bytes.
  var loudnessGain: LoudnessGain?
  /// The receiver of the samples when segments are requested.
  var splitter: SegmentSplitter?
  private(set) var conversion: AudioConversion
  /// The effects; nil for unchanged samples.
  private var effects: EffectChain?
  /// Samples of the current block, reused for each block.
  private var integers: [Int16] = []
  private var samples: [Float] = []

  init(_ info: PCMFileInfo, _ settings: EncodeSettings, name: String) throws(AACFileError) {
    conversion = settings.conversion
    do throws(EncoderError) {
      encoder = try AACEncoder(settings.configuration)
    } catch {
      throw AACFileError(error, settings.configuration, name: name)
    }
    effects = try EffectChain.ofFile(
      settings.effects, channelCount: settings.configuration.channelCount,
      sampleRate: settings.configuration.sampleRate)
  }

  /// Produces segments from now on instead of units; call it before the first bytes.
  mutating func beginSplitting() { splitter = SegmentSplitter(configuredLike: encoder) }

  /// Accepts bytes, split anywhere.
  mutating func push(_ bytes: Span<UInt8>) {
    integers.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    conversion.push(bytes, integers: &integers, samples: &samples)
    if effects != nil {
      // Samples arrive either as integers or as floating-point numbers, never as both.
      for integer in integers { samples.append(Float(integer) * 0x1p-15) }
      integers.removeAll(keepingCapacity: true)
      effects?.process(&samples)
    }
    amplify()
    Self.encode(integers, samples, with: &encoder, or: &splitter)
  }

  /// Ends the audio, and returns the trim of the stream.
  ///
  /// Afterward, the caller reads the remaining units or segments.
  mutating func finish() -> StreamTrim {
    samples.removeAll(keepingCapacity: true)
    conversion.finish(samples: &samples)
    integers.removeAll(keepingCapacity: true)
    effects?.process(&samples)
    effects?.finish(into: &samples)
    amplify()
    loudnessGain?.finish(into: &samples)
    Self.encode([], samples, with: &encoder, or: &splitter)
    if let trim = splitter?.finish() { return trim }
    return encoder.finish()
  }

  /// Applies the loudness gain; integers become floating-point numbers, so that nothing is rounded
  /// twice.
  private mutating func amplify() {
    if loudnessGain == nil { return }
    for integer in integers { samples.append(Float(integer) * 0x1p-15) }
    integers.removeAll(keepingCapacity: true)
    loudnessGain?.process(&samples)
  }

  // Static, because exclusive access prevents using a span of one property while changing another.
  private static func encode(
    _ integers: [Int16], _ samples: [Float], with encoder: inout AACEncoder,
    or splitter: inout SegmentSplitter?
  ) {
    if splitter == nil {
      encoder.encode(interleaved: integers.span)
      encoder.encode(interleaved: samples.span)
    } else {
      splitter?.encode(interleaved: integers.span)
      splitter?.encode(interleaved: samples.span)
    }
  }
}
