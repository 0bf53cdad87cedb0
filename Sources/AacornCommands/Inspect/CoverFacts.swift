import AacornContainers
import AacornRecording
import AacornSystem

/// The format and the size of a cover, human-readable and as JSON.
struct CoverFacts {
  private enum Format: String {
    case jpeg, png
  }

  private let format: Format?
  private let byteCount: Int
  /// The size in pixels, if the image states it near its start.
  private var width: Int?
  private var height: Int?

  /// The maximum number of bytes of an image to search for its size.
  static let headLimit = 1 << 20

  /// Examines an image of `byteCount` bytes that begins with `head`.
  init(_ head: [UInt8], byteCount: Int) {
    self.byteCount = byteCount
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      format = .jpeg
      readJPEG(head)
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      format = .png
      // The length and the name of the first chunk precede the size.
      if head.count >= 24 {
        width = Self.number(head[16..<20])
        height = Self.number(head[20..<24])
      }
    } else {
      format = nil
    }
  }

  /// Reads the segments of a JPEG file up to the one with the size (ITU-T T.81, B.2.2).
  ///
  ///     0xFF marker:8 length:16   precision:8 height:16 width:16 …
  private mutating func readJPEG(_ head: [UInt8]) {
    var index = 2
    while index + 9 <= head.count, head[index] == 0xFF {
      switch head[index + 1] {
      // A fill byte.
      case 0xFF: index += 1
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        height = Self.number(head[index + 5..<index + 7])
        width = Self.number(head[index + 7..<index + 9])
        return
      default: index += 2 + Self.number(head[index + 2..<index + 4])
      }
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  var line: String {
    var parts = [format?.rawValue.uppercased() ?? "unknown format"]
    if let width, let height { parts.append("\(width) × \(height) pixels") }
    parts.append(QuantityText.size(byteCount))
    return parts.joined(separator: ", ")
  }

  var json: JSONValue {
    [
      "format": .optional(format?.rawValue), "bytes": .integer(byteCount),
      "width": .optional(width), "height": .optional(height),
    ]
  }
}
