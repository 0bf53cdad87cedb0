package import Foundation
import SoundRigs

/// The content of an FLV file that nginx has recorded (FLV 10.1, E.2 to E.4).
package struct NginxServerRecording {
  package struct Tag: Equatable, Sendable {
    /// The type of the tag: 8 for audio, 18 for data.
    package var kind: UInt8
    package var time: Int
    package var body: [UInt8]
  }

  package let tags: [Tag]

  /// Reads a file, without an incomplete last tag.
  package init(_ file: URL) throws {
    try self.init([UInt8](Data(contentsOf: file)))
  }

  package init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: Array("FLV".utf8)), bytes.count >= 13 else {
      throw RigFailure("The recording is no FLV file.")
    }
    var tags: [Tag] = []
    var position = 13
    while position + 11 <= bytes.count {
      let length = Self.number(bytes[position + 1..<position + 4])
      let time = Self.number(bytes[position + 4..<position + 7]) | Int(bytes[position + 7]) << 24
      let end = position + 11 + length
      // The length of the tag, repeated after the tag, must match.
      guard end + 4 <= bytes.count else { break }
      guard Self.number(bytes[end..<end + 4]) == 11 + length else {
        throw RigFailure("At byte \(position) the recording has an incomplete tag.")
      }
      tags.append(
        Tag(kind: bytes[position], time: time, body: Array(bytes[position + 11..<end])))
      position = end + 4
    }
    self.tags = tags
  }

  /// The tags with access units, without the sequence header.
  package var frames: [Tag] { tags.filter { $0.kind == 8 && $0.body.starts(with: [0xAF, 1]) } }

  /// The decoder configurations of the stream, one per sequence header.
  package var sequenceHeaders: [[UInt8]] {
    tags.filter { $0.kind == 8 && $0.body.starts(with: [0xAF, 0]) }.map { Array($0.body[2...]) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
