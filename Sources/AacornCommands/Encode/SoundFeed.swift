import AACCodec
import AACContainers
import AACFormat
import PCM

/// Takes the bytes of samples all the way into the encoder.
///
///     bytes ─► frames ─► WAV's channel order ─► mix ─► resample ─► encoder
///
/// 16-bit samples that need none of the steps between go to the encoder as they are.
struct SoundFeed {
  private(set) var encoder: Encoder
  private var frames: PCMFrameReader
  private let settings: EncodeSettings
  private let isDirect: Bool
  private var resampler: Resampler?
  /// Samples of the block at hand at each step; kept so that no block allocates.
  private var integers: [Int16] = []
  private var decoded: [Float] = []
  private var mixed: [Float] = []
  private var resampled: [Float] = []

  /// A feed for sound of this kind.
  init(_ info: PCMFileInfo, _ settings: EncodeSettings, name: String) throws(CommandFailure) {
    self.settings = settings
    frames = PCMFrameReader(format: info.format, byteCount: info.dataByteCount)
    resampler = settings.resampler
    isDirect = settings.isDirect && info.format.sampleFormat.fitsInt16
    do throws(EncoderError) {
      encoder = try Encoder(settings.configuration)
    } catch {
      throw CommandFailure(error, settings.configuration, name: name)
    }
  }

  /// Whether all the samples that the header announced have come.
  var isComplete: Bool { frames.isAtEnd }

  /// Bytes of samples that the header announced and that have not come.
  var missingByteCount: UInt64 { frames.remainingByteCount ?? 0 }

  /// Takes bytes, cut anywhere.
  mutating func push(_ bytes: Span<UInt8>) {
    if isDirect {
      integers.removeAll(keepingCapacity: true)
      frames.read(bytes, into: &integers)
      Self.encode(integers, with: &encoder)
      return
    }
    decoded.removeAll(keepingCapacity: true)
    frames.read(bytes, into: &decoded)
    if let order = settings.channelOrder { ChannelLayout.reorder(&decoded, by: order) }
    if let mixer = settings.mixer {
      mixed.removeAll(keepingCapacity: true)
      Self.mix(decoded, with: mixer, into: &mixed)
      swap(&mixed, &decoded)
    }
    if resampler != nil {
      resampled.removeAll(keepingCapacity: true)
      Self.resample(decoded, with: &resampler, into: &resampled)
      swap(&resampled, &decoded)
    }
    Self.encode(decoded, with: &encoder)
  }

  /// Ends the sound; the encoder's remaining units come after it.
  mutating func finish() -> Trim {
    if resampler != nil {
      resampled.removeAll(keepingCapacity: true)
      resampler?.flush(into: &resampled)
      Self.encode(resampled, with: &encoder)
    }
    return encoder.finish()
  }

  /// The next coded frame, if there is one.
  mutating func nextAccessUnit(into unit: inout AccessUnit) -> Bool {
    encoder.nextAccessUnit(into: &unit)
  }

  /// The next segment as an encoder of its own, once all its samples have come.
  mutating func splitSegment() -> Encoder? { encoder.splitSegment() }

  // A span of one property and a change of another exclude each other, so the steps are given
  // their parts one by one.

  private static func encode(_ samples: [Int16], with encoder: inout Encoder) {
    encoder.encode(interleaved: samples.span)
  }

  private static func encode(_ samples: [Float], with encoder: inout Encoder) {
    encoder.encode(interleaved: samples.span)
  }

  private static func mix(_ samples: [Float], with mixer: ChannelMixer, into mixed: inout [Float]) {
    mixer.mix(samples.span, into: &mixed)
  }

  private static func resample(
    _ samples: [Float], with resampler: inout Resampler?, into resampled: inout [Float]
  ) {
    resampler?.process(samples.span, into: &resampled)
  }
}
