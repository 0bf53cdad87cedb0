import AacornCodec
import AacornSignal
import AacornSoundFiles
import Foundation
import Testing

@testable import AacornContainers

/// The byte-exact examples, and frames to write to files.
struct MP4Fixtures: Decodable {
  struct Item: Decodable {
    let hex: String?
    let text: String?
  }

  let mp4: [String: Item]
  let files: [String: String]

  static func load() throws -> MP4Fixtures {
    let url = Bundle.module.bundleURL.appending(path: "Fixtures/mp4-vectors.json")
    return try JSONDecoder().decode(MP4Fixtures.self, from: Data(contentsOf: url))
  }

  func bytes(_ name: String) -> [UInt8] { hexBytes(mp4[name]?.hex ?? files[name] ?? "") }

  /// The four frames of the example files: 22, 19, 20 and 18 bytes of mono audio.
  func frames() -> [[UInt8]] {
    let file = bytes("m4a_edts_roll")
    let reader = MP4Reader(file: file)
    return (0..<reader.unitCount).compactMap { index in
      reader.sample(at: index).map {
        Array(file[Int($0.offset)..<Int($0.offset) + Int($0.byteCount)])
      }
    }
  }
}

/// 44.1 kHz mono, the stream of the examples.
let mp4Mono = AudioSpecificConfig.test()

func mp4Units(_ count: Int) -> [[UInt8]] {
  (0..<count).map { index in
    [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 20 + index * 37 % 200)
  }
}

/// Writes a file in memory, like a caller with a file.
func mp4File(
  _ configuration: MP4Writer.Configuration, _ units: [[UInt8]], _ trim: StreamTrim
) throws -> [UInt8] {
  var writer = try MP4Writer(configuration: configuration)
  var file = writer.start()
  for bytes in units { try writer.append(AccessUnit(bytes: bytes), to: &file) }
  try mp4Apply(writer.finish(trim), to: &file)
  return file
}

/// Writes a file in memory that plays only some parts; the tables must fit in front of the audio.
func mp4File(
  _ configuration: MP4Writer.Configuration, _ units: [[UInt8]], parts: [Range<UInt64>]
) throws -> [UInt8] {
  var writer = try MP4Writer(configuration: configuration)
  var file = writer.start()
  for bytes in units { try writer.append(AccessUnit(bytes: bytes), to: &file) }
  let finish = try writer.finish(parts: parts)
  #expect(finish.mediaShift == 0)
  try mp4Apply(finish, to: &file)
  return file
}

func mp4File(_ tags: MP4Tags, _ layout: MP4Writer.Layout = .faststart) throws -> [UInt8] {
  var configuration = MP4Writer.Configuration(stream: mp4Mono, layout: layout)
  configuration.expectedUnitCount = 90
  configuration.timing.priming = 1024
  configuration.tags = tags
  return try mp4File(configuration, mp4Units(90), mp4Trim(units: 90))
}

func mp4Apply(_ finish: MP4Writer.Finish, to file: inout [UInt8]) throws {
  if finish.mediaShift > 0 {
    let zeros = [UInt8](repeating: 0, count: Int(finish.mediaShift))
    file.insert(contentsOf: zeros, at: Int(finish.media.lowerBound))
  }
  for write in finish { write.apply(to: &file) }
}

/// Reads a file of which only some bytes are given; all others are zeros.
func mp4Reader(of writes: [FileWrite], byteCount: UInt64) -> MP4Reader {
  var reader = MP4Reader(byteCount: byteCount)
  while case .need(let offset, let count) = reader.step() {
    var bytes = [UInt8](repeating: 0, count: count)
    for write in writes {
      let lower = max(write.offset, offset)
      let upper = min(write.offset + UInt64(write.bytes.count), offset + UInt64(count))
      guard lower < upper else { continue }
      let source = Int(lower - write.offset)..<Int(upper - write.offset)
      let target = Int(lower - offset)..<Int(upper - offset)
      bytes.replaceSubrange(target, with: write.bytes[source])
    }
    reader.supply(bytes)
  }
  return reader
}

/// Returns a trim for `count` frames of 1,024 samples: a priming of 1,024 and a padding of 72
/// samples.
func mp4Trim(units count: Int) -> StreamTrim {
  StreamTrim(priming: 1024, remainder: 72, sampleCount: count * 1024 - 1024 - 72)
}

/// Returns the boxes without child boxes, by path, such as "moov/mvhd".
func mp4Leaves(_ file: [UInt8]) -> [String: [UInt8]] {
  var leaves: [String: [UInt8]] = [:]
  func visit(_ range: Range<Int>, _ path: String) {
    var damage = DamageLog()
    var list = BoxList(file, in: range, fileOffset: 0)
    while let box = list.next(&damage) {
      let name = path + String(decoding: box.type.bytes, as: UTF8.self)
      let containers = ["moov", "trak", "edts", "mdia", "minf", "dinf", "stbl", "udta", "mvex"]
      if containers.contains(String(name.suffix(4))) {
        visit(box.content, name + "/")
      } else {
        leaves[name] = Array(file[box.start..<box.content.upperBound])
      }
    }
  }
  visit(0..<file.count, "")
  return leaves
}

/// Returns the position of the type of the first box with this name.
func find(_ name: String, in file: [UInt8]) -> Int {
  file.indices.first { file[$0...].starts(with: name.utf8) } ?? 0
}

/// Adds to the 32-bit size at `start`.
func grow(_ file: inout [UInt8], at start: Int, by count: Int) {
  let size = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + count
  for index in 0..<4 { file[start + index] = UInt8(size >> (24 - 8 * index) & 255) }
}
