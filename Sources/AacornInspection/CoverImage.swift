/// The cover of an MP4 file.
public struct CoverImage: Equatable, Sendable {
  /// The format of a cover.
  public enum Format: Equatable, Sendable {
    /// JPEG.
    case jpeg
    /// PNG.
    case png

    /// The name of the format, for a report.
    package var name: StaticString {
      switch self {
      case .jpeg: "jpeg"
      case .png: "png"
      }
    }
  }

  /// The format; nil for another one.
  public let format: Format?
  /// The bytes of the image in the file.
  public let range: Range<UInt64>
  /// The width in pixels; nil if the image does not state it near its start.
  public private(set) var width: Int?
  /// The height in pixels; nil if the image does not state it near its start.
  public private(set) var height: Int?

  /// The maximum number of bytes of an image to search for its size.
  static let headLimit: UInt64 = 1 << 20

  /// Examines an image that begins with `head`.
  init(_ head: [UInt8], range: Range<UInt64>) {
    self.range = range
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

  /// The size in bytes.
  package var byteCount: Int64 { Int64(clamping: range.upperBound - range.lowerBound) }

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
      default: index += 2 + (Self.number(head[index + 2..<index + 4]) ?? 0)
      }
    }
  }

  /// Returns a number; nil if it exceeds the range of `Int`, as on a 32-bit machine.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }
}
