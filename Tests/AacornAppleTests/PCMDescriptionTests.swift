import AacornSignal
import Testing

@testable import AacornApple

/// The layout of samples in an app's buffer.
struct BufferForm: Sendable {
  var kind: StoredSample.Kind
  var byteCount: Int
  var bitCount: Int
  var isBigEndian = false
  var isAlignedHigh = false
  var isInterleaved = true
  var channelCount = 2
  var fractionBitCount = 0

  func description() throws -> PCMDescription {
    var flags: UInt32 = 0
    switch kind {
    case .floatingPoint: flags |= 1
    case .signed: flags |= 4
    case .unsigned: break
    }
    if isBigEndian { flags |= 2 }
    if bitCount == byteCount * 8 { flags |= 8 }
    if isAlignedHigh { flags |= 16 }
    if !isInterleaved { flags |= 32 }
    flags |= UInt32(fractionBitCount) << 7
    return try PCMDescription(
      sampleRate: 48_000, formatID: 0x6C70_636D, formatFlags: flags,
      bytesPerFrame: UInt32(byteCount * (isInterleaved ? channelCount : 1)), framesPerPacket: 1,
      channelsPerFrame: UInt32(channelCount), bitsPerChannel: UInt32(bitCount))
  }

  /// Returns the bytes of a number; all unused bits of the word are ones.
  func bytes(of number: Int64) -> [UInt8] {
    let mask = bitCount == 64 ? UInt64.max : (1 << UInt64(bitCount)) - 1
    var raw = UInt64(bitPattern: number) & mask
    if kind == .unsigned { raw ^= 1 << UInt64(bitCount - 1) }
    let shift = UInt64(isAlignedHigh ? byteCount * 8 - bitCount : 0)
    return stored(raw << shift | ~(mask << shift))
  }

  /// Returns the low bytes of a word in the form's byte order.
  func stored(_ word: UInt64) -> [UInt8] {
    let little = (0..<byteCount).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    return isBigEndian ? little.reversed() : little
  }

  /// Returns the memory areas with these samples, which are given frame by frame.
  func areas(_ samples: [[UInt8]]) -> [[UInt8]] {
    if isInterleaved { return [samples.flatMap { $0 }] }
    return (0..<channelCount).map { channel in
      stride(from: channel, to: samples.count, by: channelCount).flatMap { samples[$0] }
    }
  }

  /// Reads the samples from memory areas.
  func read(_ areas: [[UInt8]], frameCount: Int) throws -> [Float] {
    let description = try description()
    var buffer = SoundBuffer(description, frameCount: frameCount, layout: nil, time: nil)
    for (index, area) in areas.enumerated() {
      try buffer.fill(index, from: area.span, as: description)
    }
    return buffer.samples
  }
}

extension [BufferForm] {
  fileprivate func both(_ property: WritableKeyPath<BufferForm, Bool>) -> [BufferForm] {
    flatMap { form in
      [false, true].map { value in
        var form = form
        form[keyPath: property] = value
        return form
      }
    }
  }
}

@Suite struct PCMDescriptionTests {
  /// Every width of integers in every word size, with both byte orders, both alignments, one area
  /// and several.
  static let integerForms: [BufferForm] = {
    let widths = [
      (1, [8, 5]), (2, [16, 12]), (3, [24, 20]), (4, [32, 24, 20, 16]), (8, [64, 24]),
    ]
    let forms = [StoredSample.Kind.signed, .unsigned].flatMap { kind in
      widths.flatMap { (byteCount, bitCounts) in
        bitCounts.map { BufferForm(kind: kind, byteCount: byteCount, bitCount: $0) }
      }
    }
    return forms.both(\.isBigEndian).both(\.isAlignedHigh).both(\.isInterleaved)
  }()

  @Test(arguments: integerForms)
  func integersOfEveryFormAreDividedByTheirFullScale(form: BufferForm) throws {
    let top = Int64(1) << Int64(form.bitCount - 2)
    // Full scale is twice `top`. The integers contain only the negative full scale.
    let numbers = [0, 1, -1, top, -top, -top - top, 3, -5]
    let expected = numbers.map { Float(Double($0) / Double(top) / 2) }
    let areas = form.areas(numbers.map { form.bytes(of: $0) })
    #expect(try form.read(areas, frameCount: 4) == expected)
  }

  /// Single and double precision, with both byte orders, one area and several.
  static let floatForms = [4, 8].map {
    BufferForm(kind: .floatingPoint, byteCount: $0, bitCount: $0 * 8, channelCount: 3)
  }.both(\.isBigEndian).both(\.isInterleaved)

  @Test(arguments: floatForms)
  func floatingPointKeepsItsValue(form: BufferForm) throws {
    let values: [Float] = [0, 1, -1, 0.1, -0.3, 3.5]
    let samples = values.map { value in
      form.stored(form.byteCount == 4 ? UInt64(value.bitPattern) : Double(value).bitPattern)
    }
    #expect(try form.read(form.areas(samples), frameCount: 2) == values)
  }

  /// Old iPhones store samples as fixed point with 24 fractional bits.
  @Test func fixedPointHasFullScaleAtItsPoint() throws {
    let form = BufferForm(
      kind: .signed, byteCount: 4, bitCount: 32, channelCount: 1, fractionBitCount: 24)
    let numbers: [Int64] = [0, 1 << 24, -(1 << 23), 3 << 24]
    let areas = form.areas(numbers.map { form.bytes(of: $0) })
    #expect(try form.read(areas, frameCount: 4) == [0, 1, -0.5, 3])
  }

  @Test func bytesAfterTheFramesAreIgnored() throws {
    let form = BufferForm(kind: .signed, byteCount: 2, bitCount: 16, channelCount: 1)
    #expect(try form.read([[0, 0x40, 0, 0x20, 9]], frameCount: 1) == [0.5])
    #expect(try form.read([[]], frameCount: 0) == [])
  }

  @Test(arguments: [false, true])
  func tooShortBufferThrows(isInterleaved: Bool) throws {
    let form = BufferForm(kind: .signed, byteCount: 2, bitCount: 16, isInterleaved: isInterleaved)
    let needed = isInterleaved ? 40 : 20
    #expect(throws: PCMBufferError.missingBytes(found: needed - 1, needed: needed)) {
      try form.read([[UInt8](repeating: 0, count: needed - 1)], frameCount: 10)
    }
    let description = try form.description()
    #expect(throws: PCMBufferError.self) {
      try description.check(byteCount: .max, frameCount: .max)
    }
    #expect(throws: PCMBufferError.self) { try description.check(byteCount: 4, frameCount: -1) }
  }

  private func describe(
    rate: Double = 44_100, id: UInt32 = 0x6C70_636D, flags: UInt32 = 12, bytes: UInt32 = 4,
    frames: UInt32 = 1, channels: UInt32 = 2, bits: UInt32 = 16
  ) -> Result<PCMDescription, PCMBufferError> {
    do throws(PCMBufferError) {
      return .success(
        try PCMDescription(
          sampleRate: rate, formatID: id, formatFlags: flags, bytesPerFrame: bytes,
          framesPerPacket: frames, channelsPerFrame: channels, bitsPerChannel: bits))
    } catch {
      return .failure(error)
    }
  }

  @Test func aDescriptionIsReadOrRefusedWithTheReason() throws {
    let read = try describe(rate: 44_099.9).get()
    #expect(read.sampleRate == 44_100 && read.channelCount == 2 && read.isInterleaved)
    #expect(read.sample.format == SampleFormat(.int16LittleEndian) && read.bufferCount == 1)
    #expect(try describe(flags: 12 | 32, bytes: 2).get().bufferCount == 2)
    #expect(describe(id: 0x6161_6320) == .failure(.notPCM(formatID: 0x6161_6320)))
    #expect(describe(rate: .nan) == .failure(.unsupportedSampleRate(0)))
    #expect(describe(rate: -1) == .failure(.unsupportedSampleRate(0)))
    #expect(describe(rate: .infinity) == .failure(.unsupportedSampleRate(1_000_000_000)))
    #expect(describe(channels: 0) == .failure(.unsupportedChannelCount(0)))
    #expect(describe(channels: .max) == .failure(.unsupportedChannelCount(65_536)))
    // Fractions of samples, no bits or too many, floating point with 16 bits, packets with several
    // frames.
    for refused in [
      describe(bytes: 5), describe(bytes: 0), describe(bits: 0), describe(bits: 17),
      describe(flags: 9), describe(frames: 0), describe(frames: 2), describe(bytes: .max),
      describe(bytes: 24),
    ] {
      guard case .failure(.unsupportedSample) = refused else {
        Issue.record("\(refused) was taken.")
        continue
      }
    }
  }

  @Test func everyPCMErrorHasACompleteMessage() {
    for error: PCMBufferError in [
      .notReady, .notPCM(formatID: 0x6161_6320), .unsupportedSampleRate(0),
      .unsupportedChannelCount(0), .unsupportedSample(bits: 0, bytesPerFrame: 1),
      .wrongBufferCount(found: 1, needed: 2), .missingBytes(found: 1, needed: 2), .system(-50),
    ] {
      #expect(error.message.hasSuffix(".") && error.message.contains(". "))
    }
    #expect(PCMBufferError.notPCM(formatID: 0x6161_6320).message.contains("(aac )"))
    #expect(PCMBufferError.notPCM(formatID: 0x0102_61FF).message.contains("(??a?)"))
  }

  @Test func extremeDescriptionsAreErrors() {
    for rate in [Double.nan, .infinity] {
      #expect(throws: PCMBufferError.self) {
        try PCMDescription(
          sampleRate: rate, formatID: 0x6C70_636D, formatFlags: .max, bytesPerFrame: .max,
          framesPerPacket: .max, channelsPerFrame: .max, bitsPerChannel: .max)
      }
    }
    for count in [Int.min, -1, 0, 65, .max] {
      #expect(
        StoredSample(.signed, byteCount: count, bitCount: count, isBigEndian: false) == nil)
    }
  }
}
