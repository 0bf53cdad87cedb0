import AacornCodec
import AacornSoundFiles

/// Takes the bytes of samples all the way into the encoder.
struct SoundFeed {
  private(set) var encoder: AACEncoder
  private var conversion: SoundConversion
  /// Samples of the block at hand; kept so that no block allocates.
  private var integers: [Int16] = []
  private var samples: [Float] = []

  /// A feed for sound of this kind.
  init(_ info: PCMFileInfo, _ settings: EncodeSettings, name: String) throws(CommandFailure) {
    conversion = settings.conversion
    do throws(EncoderError) {
      encoder = try AACEncoder(settings.configuration)
    } catch {
      throw CommandFailure(error, settings.configuration, name: name)
    }
  }

  /// Whether all the samples that the header announced have come.
  var isComplete: Bool { conversion.isComplete }

  /// Bytes of samples that the header announced and that have not come.
  var missingByteCount: UInt64 { conversion.missingByteCount }

  /// Takes bytes, cut anywhere.
  mutating func push(_ bytes: Span<UInt8>) {
    integers.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    conversion.push(bytes, integers: &integers, samples: &samples)
    Self.encode(integers, samples, with: &encoder)
  }

  /// Ends the sound; the encoder's remaining units come after it.
  mutating func finish() -> Trim {
    samples.removeAll(keepingCapacity: true)
    conversion.finish(samples: &samples)
    Self.encode([], samples, with: &encoder)
    return encoder.finish()
  }

  /// The next coded frame, if there is one.
  mutating func nextAccessUnit(into unit: inout AccessUnit) -> Bool {
    encoder.nextAccessUnit(into: &unit)
  }

  /// The next segment as an encoder of its own, once all its samples have come.
  mutating func splitSegment() -> AACEncoder? { encoder.splitSegment() }

  // A span of one property and a change of another exclude each other.
  private static func encode(
    _ integers: [Int16], _ samples: [Float], with encoder: inout AACEncoder
  ) {
    encoder.encode(interleaved: integers.span)
    encoder.encode(interleaved: samples.span)
  }
}
