import AacornCodec
import AacornContainers
import TestSignals
import Testing

struct LATMReaderTests {
  /// Returns a LOAS frame with an element given as bit fields.
  static func loas(_ fields: [(value: UInt32, bits: Int)], padding: Int = 0) -> [UInt8] {
    var writer = BitWriter()
    for field in fields { writer.put(field.value, count: field.bits) }
    let element = writer.bytes + [UInt8](repeating: 0, count: padding)
    return [0x56, 0xE0 | UInt8(element.count >> 8), UInt8(element.count & 0xFF)] + element
  }

  static let repetition = loas([(1, 1), (1, 8), (0x77, 8)])

  @Test func versionOneWithSeveralPayloadsAndOtherDataIsRead() {
    // The configuration consists of 34 bits with SBR signaling (0x2B7), padded to its stated
    // length.
    let bytes = Self.loas([
      (0, 1), (1, 1), (0, 1), (0, 2), (9, 8),  // version 1, variant A 0, taraBufferFullness
      (1, 1), (2, 6), (0, 4), (0, 3),  // three payloads
      (0, 2), (44, 8),  // ascLen
      (0x1390, 16), (0x56E5, 16), (0xA0, 8), (0, 4),
      (0, 3), (0x21, 8),  // a length per payload; fullness
      (1, 1), (1, 2), (0, 8), (5, 8),  // five bits of other data
      (1, 1), (0xAA, 8),  // checksum
      (1, 8), (0xB1, 8), (0, 8), (2, 8), (0xC1C2, 16), (0x1F, 5),
    ])
    let events = latmEvents(bytes)
    #expect(events.frames.map { $0.payload } == [[0xB1], [], [0xC1, 0xC2]])
    #expect(events.frames.map { $0.index } == [0, 1, 2])
    #expect(events.frames.allSatisfy { $0.configuration.extensionSampleRate == 44_100 })
    #expect(events.frames.allSatisfy { $0.bufferFullness == 0x21 })
    #expect(events.damage.isEmpty)
  }

  @Test func payloadsOfFixedLengthAreRead() {
    let bytes = Self.loas(
      [(0, 1), (0, 1), (1, 1), (0, 13), (0x1210, 16), (1, 3), (1, 9), (0, 1), (0, 1)]
        + (1...21).map { (UInt32($0), 8) })
    #expect(latmEvents(bytes).frames.map { $0.payload } == [Array(1...21)])
  }

  @Test func otherDataOfVersionZeroIsSkipped() {
    // The number of bits of other data is 0x0102 = 258, stored in two bytes with an escape bit
    // before each.
    let bytes = Self.loas(
      [
        (0, 1), (0, 1), (1, 1), (0, 13), (0x1210, 16), (0, 3), (0xFF, 8), (1, 1), (1, 1), (1, 8),
        (0, 1), (2, 8), (0, 1), (1, 8), (0x5A, 8),
      ] + [(UInt32, Int)](repeating: (1, 6), count: 43))
    let events = latmEvents(bytes + Self.repetition)
    #expect(events.frames.map { $0.payload } == [[0x5A], [0x77]])
    #expect(events.damage.isEmpty)
  }

  @Test func unsupportedConstructsAreReportedWithOffsets() {
    let configuration: [(value: UInt32, bits: Int)] = [(0x1210, 16), (0, 3), (0xFF, 8), (0, 2)]
    let cases: [[(value: UInt32, bits: Int)]] = [
      [(0, 1), (1, 1), (1, 1)],  // audioMuxVersionA
      [(0, 1), (0, 1), (0, 1), (0, 13)] + configuration,  // different time framing
      [(0, 1), (0, 1), (1, 1), (0, 6), (1, 4), (0, 3)] + configuration,  // two programs
      [(0, 1), (0, 1), (1, 1), (0, 10), (1, 3)] + configuration,  // two layers
      [(0, 1), (0, 1), (1, 1), (0, 13), (0x1210, 16), (3, 3), (0, 8)],  // frameLengthType
      [(0, 1), (0, 1), (1, 1), (0, 13), (0xF8E9, 16), (0, 24)],  // ELD of unknown length
    ]
    let good = Self.loas(
      [(0, 1), (0, 1), (1, 1), (0, 13)] + configuration + [(1, 8), (0x55, 8)])
    for fields in cases {
      let bad = Self.loas(fields, padding: 4)
      let events = latmEvents(good + bad + good)
      #expect(events.frames.map { $0.payload } == [[0x55], [0x55]])
      #expect(
        events.damage.map { [$0.offset, $0.length] } == [[good.count, bad.count]])
      #expect(events.damage.first?.kind == .unsupportedConfiguration)
    }
  }

  @Test func framesBeforeTheFirstConfigurationAreReported() throws {
    let stream = hexBytes(try TransportVectors.load().loas)
    let events = latmEvents(Array(stream[32...]))
    #expect(events.damage.map { $0.kind } == [.missingConfiguration])
    #expect(events.damage.map { $0.length } == [24])
    #expect(events.frames.map { $0.offset } == [24, 54])
  }

  @Test func payloadBeyondTheFrameIsReported() throws {
    let stream = hexBytes(try TransportVectors.load().loas)
    let long = Self.loas([(1, 1), (9, 8), (0x77, 8)])
    let events = latmEvents(stream + long + Self.repetition)
    #expect(events.frames.count == 5)
    #expect(events.damage.map { $0.kind } == [.invalidPayload])
    #expect(events.damage.first?.offset == stream.count)
  }

  @Test func latmConfigurationChangeIsReported() throws {
    let stereo = try latmStream(.stereo44100, [[1, 2, 3]])
    let mono = try latmStream(mp4Mono, [[4, 5, 6]])
    let events = latmEvents(stereo + mono)
    #expect(events.frames.map { $0.configuration.channelCount } == [2, 1])
    #expect(events.damage.map { $0.kind } == [.parametersChanged])
    #expect(events.damage.first?.offset == stereo.count)
  }

  @Test func garbageAnywhereCostsNoFrame() throws {
    var random = SeededNumbers(seed: 4)
    let payloads = (0..<10).map { _ in random.bytes(60) }
    let stream = try latmStream(.stereo44100, payloads)
    let junk = Array("no sync word in here, none at all".utf8)
    let bytes = junk + stream + junk + stream + junk
    let events = latmEvents(bytes)
    #expect(events.frames.map { $0.payload } == payloads + payloads)
    #expect(events.damage.map { $0.kind } == [.garbage, .garbage, .garbage])
    #expect(events.damage.allSatisfy { $0.length == junk.count })
    for chunk in [1, 2, 5, 70] { #expect(latmEvents(bytes, chunk: chunk) == events) }
  }

  @Test func everyCutKeepsTheFramesBeforeIt() throws {
    let vectors = try TransportVectors.load()
    let stream = hexBytes(vectors.loas)
    let ends = [32, 56, 86, stream.count]
    for cut in 0...stream.count {
      let events = latmEvents(Array(stream[..<cut]))
      #expect(events.frames.count == ends.count { $0 <= cut })
      #expect(events.damage.count == (ends.contains(cut) || cut == 0 ? 0 : 1))
    }
  }

  @Test func damagedPayloadCostsAtMostItsFrame() throws {
    var random = SeededNumbers(seed: 6)
    let payloads = [30, 41, 27, 38].map { random.bytes($0) }
    let stream = try latmStream(.stereo44100, payloads)
    let offsets = latmEvents(stream).frames.map { $0.offset } + [stream.count]
    for index in stream.indices {
      for bit in 0..<8 {
        var bytes = stream
        bytes[index] ^= 1 << UInt8(bit)
        let frames = latmEvents(bytes).frames
        for (number, payload) in payloads.enumerated() {
          let range = offsets[number]..<offsets[number + 1]
          // Frames after a damaged first configuration cannot be read.
          if range.contains(index) || index < offsets[1] { continue }
          #expect(frames.contains { $0.offset == range.lowerBound && $0.payload == payload })
        }
      }
    }
  }

  @Test func damagedRepeatedConfigurationIsIgnored() {
    let start: [(value: UInt32, bits: Int)] = [(0, 1), (0, 1), (1, 1)]
    let end: [(value: UInt32, bits: Int)] = [(0, 3), (0xFF, 8), (0, 2), (1, 8), (0x55, 8)]
    let good = Self.loas(start + [(0, 13), (0x1210, 16)] + end)
    // A configuration with two payloads in a stream with one payload, and a mono configuration in a
    // frame whose payload ends too early.
    let twoPayloads = Self.loas(start + [(1, 6), (0, 7), (0x1210, 16)] + end)
    let mono = Self.loas(start + [(0, 13), (0x1208, 16)] + end, padding: 2)
    for damaged in [twoPayloads, mono] {
      let events = latmEvents(good + damaged + Self.repetition)
      #expect(events.damage.map { $0.kind } == [.invalidConfiguration])
      #expect(events.frames.map { $0.payload } == [[0x55], [0x77]])
      #expect(events.frames.allSatisfy { $0.configuration.channelCount == 2 })
    }
  }
}
