import AacornCodec
import AacornSignal

/// A decoder of single units, driven by JavaScript.
final class DecoderSession: Session {
  private var decoder: AACDecoder?
  private var unit: [UInt8] = []
  /// The format that JavaScript knows, from the first unit on.
  private(set) var format: SoundFormat?

  override var asDecoder: DecoderSession? { self }

  /// Prepares for streams whose configuration in bytes is in the input.
  func configure(_ byteCount: Int, _ options: AACDecoder.Options) -> Int32 {
    guard let bytes = bytes(byteCount) else { return Failure.tooManySamples }
    guard let configuration = AudioSpecificConfig(parsing: bytes) else {
      return Failure.configuration
    }
    return configure(configuration, options)
  }

  /// Prepares for streams with this configuration, once.
  func configure(
    _ configuration: AudioSpecificConfig, _ options: AACDecoder.Options
  ) -> Int32 {
    guard decoder == nil else { return Failure.wrongMoment }
    do throws(DecoderError) {
      decoder = try AACDecoder(configuration, options: options)
    } catch {
      return Failure.of(error)
    }
    return 0
  }

  /// Decodes a unit from the input.
  ///
  /// The result has bit 0 if the unit was replaced, and bit 1 if the format is another than before.
  func decode(_ byteCount: Int) -> Int32 {
    guard decoder != nil else { return Failure.wrongMoment }
    guard copy(byteCount, to: &unit) else { return Failure.tooManySamples }
    let outcome = decoder?.decode(unit)
    return (outcome == .decoded ? 0 : 1) | noteFormat()
  }

  /// Replaces a unit that is missing.
  func conceal() -> Int32 {
    guard decoder != nil else { return Failure.wrongMoment }
    decoder?.conceal()
    return 1 | noteFormat()
  }

  /// Forgets all units before, as after a jump to the unit with this index.
  func reset(atUnit index: Int) -> Int32 {
    guard decoder != nil else { return Failure.wrongMoment }
    decoder?.reset(atUnit: index)
    return 0
  }

  private func noteFormat() -> Int32 {
    let current = decoder?.tellFormat()
    if current == format { return 0 }
    format = current
    return 2
  }

  /// Outputs the last unit's samples, one channel after the other, and returns how many each has.
  func putSamples() -> Int32 {
    guard let channelCount = format?.channelCount, channelCount > 0 else { return 0 }
    let sampleCount = decoder?.tellSampleCount() ?? 0
    _ = put(channelCount * sampleCount, as: Float.self) { decoder?.put(planar: &$0) }
    return Int32(sampleCount)
  }
}

extension AACDecoder {
  // All of these could do without changing anything, but a decoder that is an option of another
  // object would then be copied in order to be asked.

  fileprivate mutating func tellFormat() -> SoundFormat {
    SoundFormat(sampleRate: sampleRate, channelCount: channelCount, layout: channelLayout)
  }

  fileprivate mutating func tellSampleCount() -> Int { sampleCount }

  fileprivate mutating func put(planar samples: inout MutableSpan<Float>) {
    write(planar: &samples)
  }
}
