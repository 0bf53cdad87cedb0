import AacornCodec
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Passes samples through a processor to the encoder.
struct SoundFeed {
  var encoder: AACEncoder
  var processor: SoundProcessor
  /// The receiver of the samples when segments are requested.
  var splitter: SegmentSplitter?

  init(_ settings: EncodeSettings, name: String) throws(AACFileError) {
    encoder = try rethrow(
      as: { AACFileError($0, settings.configuration, name: name) },
      AACEncoder(settings.configuration))
    processor = try SoundProcessor(settings.conversion, settings.effects)
  }

  /// Produces segments from now on instead of units; call it before the first bytes.
  mutating func beginSplitting() { splitter = SegmentSplitter(configuredLike: encoder) }

  /// Accepts bytes, split anywhere.
  mutating func push(_ bytes: Span<UInt8>) {
    processor.push(bytes)
    Self.encode(processor.integers, processor.samples, with: &encoder, or: &splitter)
  }

  /// Ends the audio, and returns the trim of the stream.
  ///
  /// Afterward, the caller reads the remaining units or segments.
  mutating func finish() -> StreamTrim {
    processor.finish()
    Self.encode([], processor.samples, with: &encoder, or: &splitter)
    if let trim = splitter?.finish() { return trim }
    return encoder.finish()
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

/// Converts the samples of a file, and applies effects and a gain.
struct SoundProcessor {
  private(set) var conversion: AudioConversion
  /// The gain for a target loudness; nil for unchanged samples.
  ///
  /// Set it before the first bytes.
  var gain: LoudnessGain?
  /// The effects; nil for unchanged samples.
  private var effects: EffectChain?
  /// The integers of the last block; empty if it has floating-point samples.
  private(set) var integers: [Int16] = []
  /// The floating-point samples of the last block; empty if it has integers.
  private(set) var samples: [Float] = []

  init(_ conversion: AudioConversion, _ effects: [EffectDescription]) throws(AACFileError) {
    self.conversion = conversion
    self.effects = try EffectChain.ofFile(
      effects, channelCount: conversion.channelCount, sampleRate: conversion.sampleRate)
  }

  /// Whether each output frame is computed from one input frame.
  var isLocal: Bool { conversion.isLocal && effects == nil && gain == nil }

  /// Processes bytes, split anywhere.
  mutating func push(_ bytes: Span<UInt8>) {
    integers.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    conversion.push(bytes, integers: &integers, samples: &samples)
    if effects == nil && gain == nil { return }
    convertIntegers()
    effects?.process(&samples)
    gain?.process(&samples)
  }

  /// Converts the integers of the last block to floating-point numbers.
  mutating func convertIntegers() {
    for integer in integers { samples.append(Float(integer) * 0x1p-15) }
    integers.removeAll(keepingCapacity: true)
  }

  /// Processes the remaining samples.
  mutating func finish() {
    integers.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    conversion.finish(samples: &samples)
    effects?.process(&samples)
    effects?.finish(into: &samples)
    gain?.process(&samples)
    gain?.finish(into: &samples)
  }
}
