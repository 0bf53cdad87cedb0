import AacornRecording
import AacornSystem

/// A reader of the lines of a manifest, with constant memory.
final class ManifestReader {
  /// The path; `-` is standard input.
  let path: String
  private let descriptor: Int32
  private let interruption: Interruption
  private var block = [UInt8](repeating: 0, count: 1 << 18)
  private var unread = 0..<0
  private var line: [UInt8] = []
  private var number = 0
  private var readByteCount = 0
  private var isAtEnd = false

  /// The maximum length of a line in bytes.
  ///
  /// A longer line is truncated to one byte more than this limit, and is invalid.
  static let maxLineByteCount = 1 << 20

  /// Opens standard input, or a file that can be read repeatedly.
  init(
    _ path: String, _ interruption: Interruption, standardInput: Int32 = System.standardInput
  ) throws(CommandFailure) {
    self.path = path
    self.interruption = interruption
    if path == "-" {
      descriptor = standardInput
      return
    }
    // Opening a pipe without a writer would block.
    if (try? System.status(of: path))?.kind == .other, path != "/dev/null" {
      throw CommandFailure(
        .cannotRead,
        "The manifest “\(displayed(path))” is not a file, and cannot be read more than once.",
        .text(
          "Save it to a file, or pass its lines through standard input, with "
            + "--stdin-manifest."))
    }
    do throws(SystemError) {
      descriptor = try System.open(path, for: .reading)
      if try System.status(of: descriptor).kind == .folder { throw .isFolder }
    } catch {
      throw CommandFailure(.open, path, error)
    }
  }

  deinit {
    if path != "-" { try? System.close(descriptor) }
  }

  /// Returns the next nonblank line without its newline, and its number; nil at the end.
  func next() throws(CommandFailure) -> (bytes: ArraySlice<UInt8>, number: Int)? {
    while true {
      line.removeAll(keepingCapacity: true)
      guard try readLine() else { return nil }
      number += 1
      // Accept the line ends and the byte-order mark of other systems.
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      var bytes = line[...]
      if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
      if bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) { return (bytes, number) }
    }
  }

  private func readLine() throws(CommandFailure) -> Bool {
    while true {
      let rest = block[unread]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let room = Self.maxLineByteCount + 1 - line.count
      line += rest[..<(end ?? rest.endIndex)].prefix(room)
      if let end {
        unread = end + 1..<unread.upperBound
        return true
      }
      unread = 0..<0
      // The line may never end, so check for a signal.
      if room == 0, let signal = interruption.signal { throw CommandFailure(signal: signal) }
      if isAtEnd { return !line.isEmpty }
      let count: Int
      if path == "-" {
        do throws(Interrupted) {
          try interruption.wait(for: descriptor)
        } catch {
          throw CommandFailure(error)
        }
      }
      do throws(SystemError) {
        count = try System.read(descriptor, into: &block)
      } catch {
        throw CommandFailure(.read, path, error)
      }
      isAtEnd = count == 0
      readByteCount += count
      unread = 0..<count
    }
  }

  /// The number of bytes of the lines so far.
  var consumedByteCount: Int { readByteCount - unread.count }
}
