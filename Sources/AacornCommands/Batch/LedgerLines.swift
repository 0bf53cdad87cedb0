import AacornRecording
import AacornSystem

/// The lines of a ledger with their offsets.
final class LedgerLines {
  private let path: String
  private let descriptor: Int32
  private let interruption: Interruption
  private var block = [UInt8](repeating: 0, count: 1 << 18)
  private var unread = 0..<0
  /// The offset of the end of the consumed bytes in the file.
  private var offset = 0
  private var line: [UInt8] = []

  /// The maximum length in bytes; longer lines are skipped.
  ///
  /// No valid manifest line results in such a long ledger line.
  static let maxLineByteCount = 8 << 20

  /// The start of each line, by which a ledger is distinguished from other files.
  static let beginning = Array("{\"line\":".utf8)

  /// Returns whether a file is a ledger.
  ///
  /// A crash may have truncated its first line. A power failure may have left zeros; then the file
  /// has a line after them, or ends within 64 kB.
  static func isLedger(_ descriptor: Int32) throws(SystemError) -> Bool {
    var start = [UInt8](repeating: 0, count: 1 << 16)
    let count = try System.read(descriptor, into: &start, at: 0)
    let bytes = start[..<count]
    if beginning.starts(with: bytes.prefix(beginning.count)) { return true }
    let content = bytes.drop { $0 == 0 }
    if content.isEmpty { return count < start.count }
    return content.count < count
      && content.indices.contains { content[$0...].starts(with: beginning) }
  }

  /// Opens a ledger for reading from the offset of a line.
  init(
    _ path: String, _ interruption: Interruption, from start: Int = 0
  ) throws(CommandFailure) {
    self.path = path
    self.interruption = interruption
    offset = start
    do throws(SystemError) {
      descriptor = try System.open(path, for: .reading)
      if start > 0 { try System.seek(descriptor, to: start) }
    } catch {
      throw CommandFailure(.open, path, error)
    }
  }

  deinit { try? System.close(descriptor) }

  /// Returns the next line without its newline, and its offset; nil at the end.
  func next() throws(CommandFailure) -> (bytes: ArraySlice<UInt8>, offset: Int)? {
    line.removeAll(keepingCapacity: true)
    var start = offset
    while true {
      let rest = block[unread]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      line += rest[..<(end ?? rest.endIndex)].prefix(Self.maxLineByteCount + 1 - line.count)
      if let end {
        offset += end + 1 - unread.lowerBound
        unread = end + 1..<unread.upperBound
        if line.count <= Self.maxLineByteCount { return (line[...], start) }
        line.removeAll()
        start = offset
        continue
      }
      offset += unread.count
      unread = 0..<0
      if let signal = interruption.signal { throw CommandFailure(signal: signal) }
      do throws(SystemError) {
        let count = try System.read(descriptor, into: &block)
        // A last line without a newline was truncated, so it is not returned.
        if count == 0 { return nil }
        unread = 0..<count
      } catch {
        throw CommandFailure(.read, path, error)
      }
    }
  }
}
