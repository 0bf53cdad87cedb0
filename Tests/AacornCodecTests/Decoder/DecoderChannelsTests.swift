import AacornSignal
import Testing

@testable import AacornCodec

/// The assignment of a unit's elements to channels, and the handling of other elements.
@Suite struct DecoderChannelsTests {
  /// Returns a unit with one tone line in each channel; the level increases with the channel's
  /// number.
  private static func unit(
    _ elements: [(kind: ElementKind, tag: Int)], _ program: ProgramConfig? = nil
  ) -> [UInt8] {
    var writer = FrameWriter(BitWriter())
    if let program {
      writer.putStart(of: .programConfig)
      program.write(to: &writer.writer.bits, origin: 0)
    }
    var channel = 0
    for element in elements {
      writer.putStart(of: element.kind, tag: element.tag)
      if element.kind == .pair { writer.writer.bits.put(0, count: 1) }
      for _ in 0..<(element.kind == .pair ? 2 : 1) {
        channel += 1
        writer.writer.putStreamHeader(
          globalGain: 120 + 8 * channel, window: WindowInfo(.onlyLong, bands: 1))
        writer.writer.putSections([1], WindowInfo(.onlyLong, bands: 1))
        ScaleFactorBook.code.put(0, to: &writer.writer.bits)
        writer.writer.putTools(StreamTools(), isShort: false)
        writer.writer.writeSpectrum([0, 1, 0, 0], 0, 4, book: 1, Codewords())
      }
    }
    writer.putStart(of: .end)
    var bytes: [UInt8] = []
    writer.append(to: &bytes)
    return bytes
  }

  private static func program() throws -> ProgramConfig {
    ProgramConfig(profile: 1, samplingFrequency: try #require(SamplingFrequency(hertz: 44_100)))
  }

  /// Returns the position in the unit, from 1, of each output channel.
  private static func order(_ decoder: AACDecoder) -> [Int] {
    let levels = (0..<decoder.channelCount).map {
      Likeness.level(decoder.samples(ofChannel: $0))
    }
    // The global gain rises by 8 per channel, which is a factor of four in level.
    return levels.map { level in levels.count { $0 < level * 1.5 && $0 > 0 } }
  }

  /// Some encoders send the LFE as a single channel element.
  @Test func lfeIsRecognizedAtAnyElementPosition() throws {
    for (elements, order) in [
      ([(.single, 0), (.pair, 0), (.pair, 1), (.lowFrequency, 0)], [2, 3, 1, 6, 4, 5]),
      ([(.lowFrequency, 0), (.single, 0), (.pair, 0), (.pair, 1)], [3, 4, 2, 1, 5, 6]),
      ([(.single, 0), (.pair, 0), (.pair, 1), (.single, 1)], [2, 3, 1, 6, 4, 5]),
    ] as [([(kind: ElementKind, tag: Int)], [Int])] {
      var decoder = try AACDecoder(.test(channels: 6))
      let unit = Self.unit(elements)
      for _ in 0..<2 { #expect(decoder.decode(unit) == .decoded) }
      #expect(Self.order(decoder) == order)
    }
  }

  @Test func thirdConsecutiveForeignUnitChangesLayout() throws {
    var decoder = try AACDecoder(.test(channels: 2))
    let (stereo, mono) = (Self.unit([(.pair, 0)]), Self.unit([(.single, 0)]))
    for _ in 0..<3 { #expect(decoder.decode(stereo) == .decoded) }
    for _ in 0..<2 {
      for _ in 0..<2 {
        #expect(decoder.decode(mono) != .decoded)
        #expect(decoder.channelCount == 2)
      }
      #expect(decoder.decode(stereo) == .decoded)
    }
    for _ in 0..<2 { decoder.decode(mono) }
    #expect(decoder.decode(mono) == .decoded)
    #expect(decoder.channelCount == 1)
    #expect(decoder.channelLayout == .standard(channelCount: 1))
  }

  @Test func differingForeignUnitsKeepLayout() throws {
    var decoder = try AACDecoder(.test(channels: 2))
    #expect(decoder.decode(Self.unit([(.pair, 0)])) == .decoded)
    let foreignUnits = [Self.unit([(.single, 0)]), Self.unit([(.single, 0), (.pair, 0)])]
    for index in 0..<10 {
      #expect(decoder.decode(foreignUnits[index % 2]) != .decoded)
      #expect(decoder.channelCount == 2)
    }
  }

  /// The header may be wrong, so the first unit determines the channels.
  @Test func theFirstUnitDecides() throws {
    var decoder = try AACDecoder(.test(channels: 2))
    #expect(decoder.decode(Self.unit([(.single, 0)])) == .decoded)
    #expect(decoder.channelCount == 1)
  }

  @Test func unitWithoutAudioKeepsLayout() throws {
    var decoder = try AACDecoder(.test(channels: 1))
    for _ in 0..<5 {
      #expect(decoder.decode([0xE0]) != .decoded)
      #expect(decoder.channelCount == 1)
    }
  }

  @Test func layoutsMayChangeInTheMiddle() throws {
    var program = try Self.program()
    program.front = [.init(isPair: false, tag: 3), .init(isPair: true, tag: 1)]
    program.back = [.init(isPair: false, tag: 2)]
    let elements: [(kind: ElementKind, tag: Int)] = [(.single, 2), (.pair, 1), (.single, 3)]
    var decoder = try AACDecoder(.test(channels: 0))
    #expect(decoder.channelCount == 0)
    var samples: [Float] = []
    decoder.conceal()
    decoder.append(to: &samples)
    #expect(samples.isEmpty)
    for index in 0..<2 {
      // Later units need not repeat the program config element.
      #expect(decoder.decode(Self.unit(elements, index == 0 ? program : nil)) == .decoded)
    }
    #expect(decoder.channelCount == 4)
    #expect(decoder.channelLayout != nil)
    // The output order: left and right of the pair, the center (coded last), the back channel
    // (coded first).
    #expect(Self.order(decoder) == [2, 3, 4, 1])
    program.front = [.init(isPair: true, tag: 0)]
    program.back = []
    let stereo = Self.unit([(.pair, 0)], program)
    for _ in 0..<2 { #expect(decoder.decode(stereo) == .decoded) }
    #expect(decoder.channelCount == 2)
    #expect(Self.order(decoder) == [1, 2])
  }

  /// Empty layouts, and layouts that do not match their unit.
  @Test func wrongLayoutsAreIgnored() throws {
    let empty = try Self.program()
    var wrong = empty
    wrong.front = [.init(isPair: true, tag: 0), .init(isPair: false, tag: 1)]
    for program in [empty, wrong] {
      var decoder = try AACDecoder(.test(channels: 0))
      for _ in 0..<4 {
        #expect(decoder.decode(Self.unit([(.pair, 0)], program)) == .decoded)
        #expect(decoder.channelCount == 2)
      }
      // If a unit contains nothing but a layout, that layout applies to the following units.
      decoder.decode(Self.unit([], wrong))
      #expect(decoder.channelCount == 3)
      #expect(decoder.decode(Self.unit([(.pair, 0), (.single, 1)])) == .decoded)
    }
  }

  @Test func aLayoutMayOnlyChangeTheLoudspeakers() throws {
    var program = try Self.program()
    program.front = [.init(isPair: true, tag: 0)]
    program.side = [.init(isPair: true, tag: 1)]
    let elements: [(kind: ElementKind, tag: Int)] = [(.pair, 0), (.pair, 1)]
    var decoder = try AACDecoder(.test(channels: 0))
    decoder.decode(Self.unit(elements, program))
    let layout = decoder.channelLayout
    program.back = program.side
    program.side = []
    decoder.decode(Self.unit(elements, program))
    #expect(layout != nil && decoder.channelLayout != nil && decoder.channelLayout != layout)
  }

  @Test func layoutsWithoutNamesKeepTheirOrder() throws {
    let elements: [(kind: ElementKind, tag: Int)] = (0..<5).map { (.pair, $0) }
    var decoder = try AACDecoder(.test(channels: 0))
    for _ in 0..<2 { #expect(decoder.decode(Self.unit(elements)) == .decoded) }
    #expect(decoder.channelCount == 10)
    #expect(decoder.channelLayout == nil)
    #expect(Self.order(decoder) == Array(1...10))
  }
}
