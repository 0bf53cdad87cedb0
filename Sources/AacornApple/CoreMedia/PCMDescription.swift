import AacornSignal

/// The memory layout of a buffer's samples, from a stream description of Core Audio.
///
///     interleaved: one area              │ L R L R L R …
///     otherwise:   one area per channel │ L L L …   │ R R R …
public struct PCMDescription: Equatable, Sendable {
  /// Frames per second.
  public let sampleRate: Int
  /// The number of channels.
  public let channelCount: Int
  /// Whether one area of memory contains all channels, frame by frame.
  public let isInterleaved: Bool
  /// The format of each sample in memory.
  public let sample: StoredSample

  /// Reads the fields of an `AudioStreamBasicDescription`.
  ///
  /// The rate is rounded to whole hertz. If a sample does not fill its word, the format states
  /// whether the sample is in the upper bits.
  ///
  /// - Throws: The reason why the samples cannot be read.
  public init(
    sampleRate: Double, formatID: UInt32, formatFlags: UInt32, bytesPerFrame: UInt32,
    framesPerPacket: UInt32, channelsPerFrame: UInt32, bitsPerChannel: UInt32
  ) throws(PCMBufferError) {
    guard formatID == Self.linearPCM else { throw .notPCM(formatID: formatID) }
    // NaN fails the comparison.
    guard (1...1_000_000).contains(sampleRate) else {
      throw .unsupportedSampleRate(sampleRate > 0 ? Int(min(sampleRate, 1e9)) : 0)
    }
    let channels = Int(truncatingIfNeeded: min(channelsPerFrame, 1 << 16))
    guard (1...SampleLimits.maxChannelCount).contains(channels) else {
      throw .unsupportedChannelCount(channels)
    }
    let isInterleaved = formatFlags & Flags.isNonInterleaved == 0
    let perFrame = Int(truncatingIfNeeded: min(bytesPerFrame, 1 << 16))
    let perSample = isInterleaved ? perFrame / channels : perFrame
    let kind: StoredSample.Kind =
      formatFlags & Flags.isFloat != 0
      ? .floatingPoint : formatFlags & Flags.isSignedInteger != 0 ? .signed : .unsigned
    let bits = Int(truncatingIfNeeded: min(bitsPerChannel, 1 << 16))
    let sample = StoredSample(
      kind, byteCount: perSample, bitCount: bits,
      isBigEndian: formatFlags & Flags.isBigEndian != 0,
      isAlignedHigh: formatFlags & Flags.isAlignedHigh != 0,
      fractionBitCount: Int(formatFlags >> Flags.fractionShift & Flags.fractionMask))
    guard let sample, framesPerPacket == 1,
      perSample * (isInterleaved ? channels : 1) == perFrame
    else { throw .unsupportedSample(bits: bits, bytesPerFrame: perFrame) }
    self.sampleRate = Int(sampleRate + 0.5)
    channelCount = channels
    self.isInterleaved = isInterleaved
    self.sample = sample
  }

  /// The number of memory areas in a buffer.
  public var bufferCount: Int { isInterleaved ? 1 : channelCount }

  /// `kAudioFormatLinearPCM`.
  static let linearPCM: UInt32 = 0x6C70_636D

  private enum Flags {
    static let isFloat: UInt32 = 1 << 0
    static let isBigEndian: UInt32 = 1 << 1
    static let isSignedInteger: UInt32 = 1 << 2
    static let isAlignedHigh: UInt32 = 1 << 4
    static let isNonInterleaved: UInt32 = 1 << 5
    /// The lowest bit of the field with the number of bits after the binary point.
    static let fractionShift: UInt32 = 7
    static let fractionMask: UInt32 = 0x3F
  }
}

extension PCMDescription {
  /// Throws an error unless an area of memory has the bytes of `frameCount` frames.
  func check(byteCount: Int, frameCount: Int) throws(PCMBufferError) {
    let size = sample.byteCount * (isInterleaved ? channelCount : 1)
    if frameCount >= 0 && frameCount <= byteCount / size { return }
    let (needed, isTooMuch) = frameCount.multipliedReportingOverflow(by: size)
    throw .missingBytes(found: byteCount, needed: isTooMuch ? .max : needed)
  }

  /// Stores the samples of one area of memory in interleaved frames, starting at the first frame.
  ///
  /// - Throws: An error if the area has fewer bytes than its frames need; excess bytes are ignored.
  func unpack(
    _ bytes: Span<UInt8>, buffer: Int, frameCount: Int, into samples: inout [Float]
  ) throws(PCMBufferError) {
    precondition(buffer >= 0 && buffer < bufferCount)
    precondition(frameCount >= 0 && frameCount * channelCount <= samples.count)
    try check(byteCount: bytes.count, frameCount: frameCount)
    let count = isInterleaved ? frameCount * channelCount : frameCount
    let needed = count * sample.byteCount
    if let format = sample.format {
      if isInterleaved {
        var target = samples.mutableSpan
        SampleConversion.convert(bytes, as: format.encoding, count: count, into: &target, at: 0)
        return
      }
      var channel: [Float] = []
      SampleConversion.append(bytes.extracting(0..<needed), as: format, to: &channel)
      for frame in 0..<count { samples[frame * channelCount + buffer] = channel[frame] }
      return
    }
    let step = isInterleaved ? 1 : channelCount
    for index in 0..<count {
      let word = sample.word(in: bytes, at: index * sample.byteCount)
      samples[index * step + buffer] = sample.value(of: word)
    }
  }
}

extension SoundBuffer {
  /// Creates a buffer of `frameCount` silent frames, which `fill` then overwrites.
  init(
    _ description: PCMDescription, frameCount: Int, layout: ChannelLayout?, time: MediaTime?
  ) {
    self.init(
      [Float](repeating: 0, count: max(0, frameCount) * description.channelCount),
      sampleRate: description.sampleRate, channelCount: description.channelCount,
      layout: layout?.speakers.count == description.channelCount ? layout : nil, time: time)
  }

  /// Stores the samples of `bytes`, the content of memory area number `buffer`.
  mutating func fill(
    _ buffer: Int, from bytes: Span<UInt8>, as description: PCMDescription
  ) throws(PCMBufferError) {
    try description.unpack(bytes, buffer: buffer, frameCount: frameCount, into: &samples)
  }
}
