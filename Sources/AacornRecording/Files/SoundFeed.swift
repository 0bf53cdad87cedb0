import AacornCodec
import AacornSignal
import AacornSoundFiles

/// Passes the bytes of samples through conversion and effects into the encoder.
struct SoundFeed {
  private(set) var encoder: AACEncoder
  /// Makes the sound louder or softer; nil if it stays as it is.
  ///
  /// Set it before the first bytes come.
  var loudnessGain: LoudnessGain?
  /// What gets the samples instead of the encoder once segments are wanted.
  private var splitter: SegmentSplitter?
  private var conversion: SoundConversion
  /// Nil if the samples stay as they are.
  private var effects: EffectChain?
  /// Samples of the current block; kept so that no block allocates.
  private var integers: [Int16] = []
  private var samples: [Float] = []

  /// Creates a feed for audio of this format.
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

  /// Whether all samples announced by the header have arrived.
  var isComplete: Bool { conversion.isComplete }

  /// Bytes of announced samples that are missing.
  var missingByteCount: UInt64 { conversion.missingByteCount }

  /// Gives segments from now on, not units; call it before the first bytes come.
  mutating func beginSplitting() { splitter = SegmentSplitter(configuredLike: encoder) }

  /// Accepts bytes, split anywhere.
  mutating func push(_ bytes: Span<UInt8>) {
    integers.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    conversion.push(bytes, integers: &integers, samples: &samples)
    if effects != nil {
      // Either kind of samples comes, never both.
      for integer in integers { samples.append(Float(integer) * 0x1p-15) }
      integers.removeAll(keepingCapacity: true)
      effects?.process(&samples)
    }
    amplify()
    Self.encode(integers, samples, with: &encoder, or: &splitter)
  }

  /// Ends the audio; the remaining units or segments follow.
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

  /// The next coded frame, if there is one.
  mutating func nextAccessUnit(into unit: inout AccessUnit) -> Bool {
    encoder.nextAccessUnit(into: &unit)
  }

  /// The next segment, once all its samples have arrived.
  mutating func splitSegment() -> SegmentEncoder? { splitter?.nextSegment() }

  /// Multiplies and limits the block; whole numbers become others, so that nothing is rounded twice.
  private mutating func amplify() {
    if loudnessGain == nil { return }
    for integer in integers { samples.append(Float(integer) * 0x1p-15) }
    integers.removeAll(keepingCapacity: true)
    loudnessGain?.process(&samples)
  }

  // Access to one property through a span excludes changing another.
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
