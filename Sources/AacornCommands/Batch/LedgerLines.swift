import AacornRecording
import AacornSystem

/// The lines of a ledger, with the places where they begin.
final class LedgerLines {
  private let path: String
  private let descriptor: Int32
  private let interruption: Interruption
  private var block = [UInt8](repeating: 0, count: 1 << 18)
  private var unread = 0..<0
  /// Where `unread` begins in the file.
  private var offset = 0
  private var line: [UInt8] = []

  /// What is longer is passed over; it is more than any line of a manifest comes to.
  static let longestLine = 8 << 20

  /// How each line begins, so that no other file is taken for a ledger.
  static let beginning = Array("{\"line\":".utf8)

  /// Whether a file that begins with these bytes is a ledger, though a crash may have cut off its
  /// first line.
  static func isLedger(_ start: some Collection<UInt8>) -> Bool {
    beginning.starts(with: start.prefix(beginning.count))
  }

  /// Reads from a place on at which a line begins.
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

  /// The next line, without its end, and where it begins; nil at the end.
  func next() throws(CommandFailure) -> (bytes: ArraySlice<UInt8>, offset: Int)? {
    line.removeAll(keepingCapacity: true)
    var start = offset
    while true {
      let rest = block[unread]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      line += rest[..<(end ?? rest.endIndex)].prefix(Self.longestLine + 1 - line.count)
      if let end {
        offset += end + 1 - unread.lowerBound
        unread = end + 1..<unread.upperBound
        if line.count <= Self.longestLine { return (line[...], start) }
        line.removeAll()
        start = offset
        continue
      }
      offset += unread.count
      unread = 0..<0
      if let signal = interruption.signal { throw CommandFailure(signal: signal) }
      do throws(SystemError) {
        let count = try System.read(descriptor, into: &block)
        // What has no end was cut off.
        if count == 0 { return nil }
        unread = 0..<count
      } catch {
        throw CommandFailure(.read, path, error)
      }
    }
  }

  /// The output that a line is about.
  static func output(in bytes: ArraySlice<UInt8>) -> String? { LedgerGlance(bytes)?.output }
}
