import AacornCodec
import AacornContainers
import AacornSignal

/// One encoder that JavaScript drives; with a file around its units if it asked for one.
final class EncoderSession: Session {
  private var encoder: AACEncoder
  private var unit = AccessUnit()
  private(set) var trim: Trim?
  private var file: FileAssembly?
  private var conversion: SoundConversion?
  private var integers: [Int16] = []
  private var samples: [Float] = []
  /// Samples that have come, of all channels.
  private var sampleCount: Int64 = 0

  /// Samples a channel that are counted without overflow on a machine of 32 bits, half a day.
  private static let longestSound = 2_000_000_000

  override var asEncoder: EncoderSession? { self }

  /// An encoder of samples, or of stored samples that `conversion` makes fit.
  init(
    _ configuration: AACEncoder.Configuration, conversion: SoundConversion? = nil
  ) throws(EncoderError) {
    encoder = try AACEncoder(configuration)
    self.conversion = conversion
  }

  /// Whether nothing has happened yet.
  var isNew: Bool { sampleCount == 0 && trim == nil && file == nil }

  /// Makes the units a file, with the tag of this program if it is one with tags.
  ///
  /// `frameCount` samples a channel will come, at `rate` a second or as many as the encoder takes.
  func beginFile(_ format: CodedFileWriter.Format, frameCount: Int64?, at rate: Int? = nil) {
    let timing = encoder.timing
    var configuration = CodedFileWriter.Configuration(format, stream: encoder.audioSpecificConfig)
    configuration.tags.encoder = AacornVersion.encoderTag
    configuration.expectedUnitCount = frameCount.flatMap {
      CodedFileWriter.expectedUnitCount(frameCount: $0, from: rate ?? timing.sampleRate, to: timing)
    }
    configuration.timing = timing
    file = FileAssembly(configuration)
  }

  /// Sets a tag of the file, before its first byte.
  func setTag(_ kind: Int32, _ text: [UInt8]) -> Int32 {
    file?.setTag(kind, text) ?? Failure.wrongMoment
  }

  /// Whether there is still room in the counters for so many samples.
  private func hasRoom(_ count: Int) -> Bool {
    let limit = Int64(Self.longestSound) * Int64(encoder.configuration.channelCount)
    return sampleCount + Int64(max(0, count)) <= limit
  }

  /// Encodes interleaved 16-bit samples from the input.
  func encodeIntegers(_ count: Int) -> Int32 {
    guard trim == nil, conversion == nil else { return Failure.wrongMoment }
    guard hasRoom(count) else { return Failure.tooLong }
    let isDone = take(count, as: Int16.self) { encoder.encode(interleaved: $0) }
    if isDone { sampleCount += Int64(count) }
    return isDone ? 0 : Failure.tooManySamples
  }

  /// Encodes interleaved samples from −1 to 1 from the input.
  func encodeFloats(_ count: Int) -> Int32 {
    guard trim == nil, conversion == nil else { return Failure.wrongMoment }
    guard hasRoom(count) else { return Failure.tooLong }
    let isDone = take(count, as: Float.self) { encoder.encode(interleaved: $0) }
    if isDone { sampleCount += Int64(count) }
    return isDone ? 0 : Failure.tooManySamples
  }

  /// Encodes stored samples from the input, cut anywhere.
  func encodeBytes(_ count: Int) -> Int32 {
    guard trim == nil, conversion != nil else { return Failure.wrongMoment }
    integers.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    let isDone = take(count, as: UInt8.self) {
      conversion?.push($0, integers: &integers, samples: &samples)
    }
    guard isDone else { return Failure.tooManySamples }
    let count = integers.count + samples.count
    guard hasRoom(count) else { return Failure.tooLong }
    sampleCount += Int64(count)
    Self.encode(integers, samples, with: &encoder)
    return 0
  }

  /// Encodes samples from −1 to 1 from the input, one channel after the other.
  func encodePlanar(_ count: Int) -> Int32 {
    let channelCount = encoder.configuration.channelCount
    guard trim == nil, conversion == nil, count >= 0, count % channelCount == 0, isWhole else {
      return Failure.wrongMoment
    }
    guard hasRoom(count) else { return Failure.tooLong }
    let isDone = take(count, as: Float.self) { encoder.encode(planar: $0) }
    if isDone { sampleCount += Int64(count) }
    return isDone ? 0 : Failure.tooManySamples
  }

  /// Whether the samples that have come are whole frames.
  private var isWhole: Bool { sampleCount % Int64(encoder.configuration.channelCount) == 0 }

  /// Whether all samples that the header announced have come.
  var isComplete: Bool { conversion?.isComplete ?? false }

  /// Puts out what comes next, a unit or bytes of the file; returns its length, or 0 until more
  /// samples come.
  func next() -> Int32 {
    if file != nil { return nextOfFile() }
    guard encoder.nextAccessUnit(into: &unit) else { return 0 }
    return put(unit.bytes)
  }

  /// Where in the file the bytes belong that were put out last.
  var offset: Double { file?.offset ?? 0 }

  private func nextOfFile() -> Int32 {
    while file?.needsUnits == true, encoder.nextAccessUnit(into: &unit) {
      if let failure = file?.append(unit) { return failure }
    }
    if let trim, file?.finish(trim) == false { return file?.failure ?? Failure.container }
    guard let bytes = file?.take() else { return 0 }
    return put(bytes)
  }

  /// Puts the decoder's configuration into the output.
  func putConfiguration() -> Int32 { put(encoder.audioSpecificConfig.bytes) }

  /// Ends the input.
  func finish() -> Int32 {
    if trim != nil { return 0 }
    if conversion != nil {
      samples.removeAll(keepingCapacity: true)
      conversion?.finish(samples: &samples)
      Self.encode([], samples, with: &encoder)
    }
    let trim = encoder.finish()
    self.trim = trim
    return conversion != nil && trim.sampleCount == 0 ? Failure.noSamples : 0
  }

  // A span of one property and a change of another exclude each other.
  private static func encode(
    _ integers: [Int16], _ samples: [Float], with encoder: inout AACEncoder
  ) {
    encoder.encode(interleaved: integers.span)
    encoder.encode(interleaved: samples.span)
  }
}
