import AacornCodec
import AacornContainers

/// An encoder driven by JavaScript, with an optional file for its units.
final class EncoderSession: Session {
  private var encoder: AACEncoder
  private var unit = AccessUnit()
  private(set) var trim: StreamTrim?
  private var file: FileAssembly?
  /// The number of samples received, over all channels.
  private var sampleCount: Int64 = 0

  /// The maximum number of samples per channel that 32-bit counters can hold, about half a day.
  private static let maxFrameCount = 2_000_000_000

  override var asEncoder: EncoderSession? { self }

  init(_ configuration: AACEncoder.Configuration) throws(EncoderError) {
    encoder = try AACEncoder(configuration)
  }

  /// Whether the encoder has no samples and no file yet.
  var isNew: Bool { sampleCount == 0 && trim == nil && file == nil }

  /// Starts a file for the units, tagged with this program if the format has tags.
  ///
  /// The file will contain `frameCount` samples per channel at `rate`, or at the encoder's rate.
  func beginFile(_ format: CodedFileWriter.Format, frameCount: Int64?, at rate: Int?) {
    let timing = encoder.timing
    var configuration = CodedFileWriter.Configuration(format, stream: encoder.audioSpecificConfig)
    configuration.tags.encoder = AacornVersion.encoderTag
    configuration.expectedUnitCount = frameCount.flatMap {
      CodedFileWriter.expectedUnitCount(frameCount: $0, from: rate ?? timing.sampleRate, to: timing)
    }
    configuration.timing = timing
    file = FileAssembly(configuration)
  }

  /// Sets a tag of the file; fails after its first byte.
  func setTag(_ kind: Int32, _ text: [UInt8]) -> Int32 {
    file?.setTag(kind, text) ?? Failure.wrongState
  }

  /// Adds tags of another file; fails after the first byte of this file.
  func addItems(_ items: [UInt8]) -> Int32 {
    file?.addItems(items) ?? Failure.wrongState
  }

  /// Encodes interleaved 16-bit samples from the input.
  func encodeIntegers(_ count: Int) -> Int32 {
    encode(count, as: Int16.self) { encoder.encode(interleaved: $0) }
  }

  /// Encodes interleaved samples in −1…1 from the input.
  func encodeFloats(_ count: Int) -> Int32 {
    encode(count, as: Float.self) { encoder.encode(interleaved: $0) }
  }

  /// Encodes samples in −1…1 from the input, one channel after the other.
  func encodePlanar(_ count: Int) -> Int32 {
    let channelCount = encoder.configuration.channelCount
    // The samples received before must form complete frames.
    guard count >= 0, count % channelCount == 0, sampleCount % Int64(channelCount) == 0 else {
      return Failure.wrongState
    }
    return encode(count, as: Float.self) { encoder.encode(planar: $0) }
  }

  private func encode<Sample: BitwiseCopyable>(
    _ count: Int, as type: Sample.Type, _ encode: (Span<Sample>) -> Void
  ) -> Int32 {
    guard trim == nil else { return Failure.wrongState }
    let limit = Int64(Self.maxFrameCount) * Int64(encoder.configuration.channelCount)
    guard sampleCount + Int64(max(0, count)) <= limit else { return Failure.tooLong }
    guard withInput(count, as: type, encode) else { return Failure.tooManySamples }
    sampleCount += Int64(count)
    return 0
  }

  /// Outputs the next unit or the next bytes of the file; returns the length, or 0 if more samples
  /// are needed.
  func next() -> Int32 {
    if file != nil { return nextOfFile() }
    guard encoder.nextAccessUnit(into: &unit) else { return 0 }
    return put(unit.bytes)
  }

  /// The file offset of the last output bytes.
  var offset: Double { file?.offset ?? 0 }

  private func nextOfFile() -> Int32 {
    while file?.needsUnits == true, encoder.nextAccessUnit(into: &unit) {
      if let failure = file?.append(unit) { return failure }
    }
    if let trim, file?.finish(trim) == false { return file?.failure ?? Failure.container }
    guard let bytes = file?.nextPiece() else { return 0 }
    return put(bytes)
  }

  func putConfiguration() -> Int32 { put(encoder.audioSpecificConfig.bytes) }

  func finish() -> Int32 {
    if trim == nil { trim = encoder.finish() }
    return 0
  }
}
