import AacornCodec
import AacornContainers
import Foundation
import TestSignals
import Testing

struct TransportVectors: Decodable {
  struct Header: Decodable {
    var hex: String
    var version: Int
    var objectType: Int
    var frequencyIndex: Int
    var channelConfiguration: Int
    var frameLength: Int
    var bufferFullness: Int
  }
  struct Checksum: Decodable {
    var hex: String
    var checksum: Int
  }
  var adtsHeaders: [Header]
  var adtsChecksums: [Checksum]
  var crc16Check: Int
  var loas: String
  var adif: String
  /// The raw_data_blocks of the `loas` and `adif` streams.
  var packets: [String]

  static func load() throws -> TransportVectors {
    let url = Bundle.module.url(
      forResource: "transport-vectors", withExtension: "json", subdirectory: "Fixtures")
    let data = try Data(contentsOf: try #require(url))
    return try JSONDecoder().decode(TransportVectors.self, from: data)
  }
}

func hexBytes(_ hex: String) -> [UInt8] {
  let digits = Array(hex.utf8).map { UInt8($0 < 0x3A ? $0 - 0x30 : ($0 | 0x20) - 0x57) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

extension AudioSpecificConfig {
  static let stereo44100 = test(channels: 2)

  static func test(
    _ type: AudioObjectType = .lowComplexity, rate: Int = 44_100, channels: Int = 1
  ) -> AudioSpecificConfig {
    AudioSpecificConfig(objectType: type, sampleRate: rate, channelConfiguration: channels)
  }
}

struct TransportStream {
  var bytes: [UInt8] = []
  var payloads: [[UInt8]] = []
  var ranges: [Range<Int>] = []

  /// Returns an ADTS stream of random payloads with the given sizes.
  static func adts(
    _ configuration: AudioSpecificConfig = .stereo44100, sizes: [Int], seed: UInt64 = 1
  ) throws -> TransportStream {
    var random = SeededNumbers(seed: seed)
    var writer = try ADTSWriter(configuration: configuration)
    var stream = TransportStream()
    for size in sizes {
      let payload = random.bytes(size)
      let start = stream.bytes.count
      try writer.append(AccessUnit(bytes: payload), to: &stream.bytes)
      stream.payloads.append(payload)
      stream.ranges.append(start..<stream.bytes.count)
    }
    return stream
  }
}

/// A reader of a stream that arrives in chunks.
protocol ChunkReader {
  associatedtype Event
  mutating func append(_ bytes: [UInt8])
  mutating func next() -> Event?
  mutating func finish()
}

extension ADTSReader: ChunkReader {}
extension LATMReader: ChunkReader {}
extension TransportStreamReader: ChunkReader {}

extension ChunkReader {
  /// Returns all events of a stream that is supplied in chunks of `chunk` bytes.
  func events(of bytes: [UInt8], chunk: Int) -> [Event] {
    var reader = self
    var events: [Event] = []
    var start = 0
    while start < bytes.count {
      let end = start + min(chunk, bytes.count - start)
      reader.append(Array(bytes[start..<end]))
      while let event = reader.next() { events.append(event) }
      start = end
    }
    reader.finish()
    while let event = reader.next() { events.append(event) }
    return events
  }
}

func adtsEvents(_ bytes: [UInt8], chunk: Int = .max) -> [ADTSReader.Event] {
  ADTSReader().events(of: bytes, chunk: chunk)
}

extension [ADTSReader.Event] {
  var frames: [ADTSFrame] { compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }

  var damage: [StreamDamage] {
    compactMap { if case .damage(let damage) = $0 { damage } else { nil } }
  }

  var ranges: [Range<Int>] {
    map {
      switch $0 {
      case .frame(let frame): frame.offset..<frame.offset + frame.header.frameLength
      case .tag(let offset, let length): offset..<offset + length
      case .damage(let damage): damage.offset..<damage.offset + damage.length
      }
    }
  }

  /// Returns whether every byte of a stream belongs to exactly one event, in order.
  func cover(_ count: Int) -> Bool {
    var position = 0
    for range in ranges {
      if range.lowerBound != position { return false }
      position = range.upperBound
    }
    return position == count
  }
}
