import AacornCodec
import AacornSignal

/// A decoder of single units, driven by JavaScript.
final class DecoderSession: Session {
  private var decoder: AACDecoder?
  private var unit: [UInt8] = []
  /// The format last reported to JavaScript; nil before the first unit.
  private(set) var format: SoundFormat?

  override var asDecoder: DecoderSession? { self }

  /// Configures the decoder with an AudioSpecificConfig from the input.
  func configure(_ byteCount: Int, _ options: AACDecoder.Options) -> Int32 {
    guard let bytes = bytes(byteCount) else { return Failure.tooManySamples }
    guard let configuration = AudioSpecificConfig(parsing: bytes) else {
      return Failure.configuration
    }
    return configure(configuration, options)
  }

  /// Configures the decoder; fails if it is already configured.
  func configure(
    _ configuration: AudioSpecificConfig, _ options: AACDecoder.Options
  ) -> Int32 {
    guard decoder == nil else { return Failure.wrongState }
    do throws(DecoderError) {
      decoder = try AACDecoder(configuration, options: options)
    } catch {
      return Failure.of(error)
    }
    return 0
  }

  /// Decodes a unit from the input.
  ///
  /// Returns the sum of 1 if the unit was concealed, and 2 if the format has changed.
  func decode(_ byteCount: Int) -> Int32 {
    guard decoder != nil else { return Failure.wrongState }
    guard copy(byteCount, to: &unit) else { return Failure.tooManySamples }
    let outcome = decoder?.decode(unit)
    return (outcome == .decoded ? 0 : 1) | updateFormat()
  }

  func conceal() -> Int32 {
    guard decoder != nil else { return Failure.wrongState }
    decoder?.conceal()
    return 1 | updateFormat()
  }

  /// Resets the decoder, for example after a seek to the unit with this index.
  func reset(atUnit index: Int) -> Int32 {
    guard decoder != nil else { return Failure.wrongState }
    decoder?.reset(atUnit: index)
    return 0
  }

  private func updateFormat() -> Int32 {
    let current = decoder?.currentFormat()
    if current == format { return 0 }
    format = current
    return 2
  }

  /// Outputs the last unit's samples, one channel after the other; returns the number per channel.
  func putSamples() -> Int32 {
    guard let channelCount = format?.channelCount, channelCount > 0 else { return 0 }
    let sampleCount = decoder?.currentSampleCount() ?? 0
    _ = put(channelCount * sampleCount, as: Float.self) { decoder?.put(planar: &$0) }
    return Int32(sampleCount)
  }
}

extension AACDecoder {
  // `mutating` so that access through the optional property makes no copy.

  fileprivate mutating func currentFormat() -> SoundFormat {
    SoundFormat(sampleRate: sampleRate, channelCount: channelCount, layout: channelLayout)
  }

  fileprivate mutating func currentSampleCount() -> Int { sampleCount }

  fileprivate mutating func put(planar samples: inout MutableSpan<Float>) {
    write(planar: &samples)
  }
}
