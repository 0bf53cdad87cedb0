import AacornRecording
import AacornSystem

/// A reader of the lines of a manifest or a ledger, with constant memory.
final class LineReader {
  /// A line without its end.
  struct Line {
    let bytes: ArraySlice<UInt8>
    /// The number of the line, from 1.
    let number: Int
    /// The offset of the line in the file.
    let offset: Int
  }

  private let file: InputFile
  private var block = [UInt8](repeating: 0, count: 1 << 18)
  private var unread = 0..<0
  private var bytes: [UInt8] = []
  private var number = 0
  /// The offset of the end of the consumed bytes.
  private var offset = 0

  /// The maximum length of a line in bytes.
  ///
  /// A longer line is truncated to one byte more than this limit. No ledger line is as long: it
  /// repeats the text of a manifest line, of at most 1 MB, a few times, with escapes.
  static let maxByteCount = 32 << 20

  /// Opens a file; `-` is standard input.
  init(_ path: String, _ interruption: Interruption) throws(CommandFailure) {
    file = try InputFile(path, interruption: interruption)
  }

  /// Returns the next line that is not blank; nil at the end.
  func next() throws(CommandFailure) -> Line? {
    while true {
      var start = offset
      if try !readLine(), bytes.isEmpty { return nil }
      number += 1
      // Accept the line ends and the byte-order mark of other systems.
      if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
      var content = bytes[...]
      if start == 0, content.starts(with: [0xEF, 0xBB, 0xBF]) {
        content = content.dropFirst(3)
        start = 3
      }
      if content.contains(where: { $0 != 0x20 && $0 != 0x09 }) {
        return Line(bytes: content, number: number, offset: start)
      }
    }
  }

  /// Reads the bytes up to the next end of a line; returns false if the file ends first.
  private func readLine() throws(CommandFailure) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    while true {
      let rest = block[unread]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      bytes += rest[..<(end ?? rest.endIndex)].prefix(Self.maxByteCount + 1 - bytes.count)
      let next = end.map { $0 + 1 } ?? rest.endIndex
      offset += next - unread.lowerBound
      unread = next..<unread.upperBound
      if end != nil { return true }
      let count = try file.read(into: &block)
      if count == 0 { return false }
      unread = 0..<count
    }
  }
}
