import AacornRecording
import AacornSystem

/// The file that tells what became of each line of a shard, one line for each time it was tried.
///
/// It only grows, each line in one write, and the last line about an output counts. So whatever ends a
/// run, no more is lost of it than what was in work.
final class Ledger: Sendable {
  let path: String
  private let descriptor: Int32
  private let state = Lock(State())

  private struct State {
    /// Why nothing more can be written.
    var failure: CommandFailure?
  }

  /// Opens it, or begins it; only one run at a time may write it.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    do throws(SystemError) {
      do throws(SystemError) {
        descriptor = try System.open(path, for: .changing)
      } catch {
        guard error == .notFound else { throw error }
        descriptor = try System.open(path, for: .creating)
      }
    } catch {
      throw CommandFailure(creating: path, error)
    }
    do throws(SystemError) {
      try System.lock(descriptor)
      try Self.endLastLine(descriptor)
    } catch {
      try? System.close(descriptor)
      if error == .wouldBlock {
        let owner = System.lockOwner(of: path).map { ": \($0)" } ?? ""
        throw CommandFailure(
          .busy, "Another run is writing the ledger “\(displayed(path))”\(owner).",
          .words("Wait for its end, or give each run a part of its own with --shard."))
      }
      throw CommandFailure(creating: path, error)
    }
  }

  deinit { try? System.close(descriptor) }

  /// A line that a crash has cut off must not swallow the next one.
  private static func endLastLine(_ descriptor: Int32) throws(SystemError) {
    let size = try System.status(of: descriptor).size
    try System.seek(descriptor, to: max(0, size - 1))
    var last: [UInt8] = [0]
    if size > 0, try System.read(descriptor, into: &last) == 1, last[0] != UInt8(ascii: "\n") {
      _ = try System.write(descriptor, [UInt8(ascii: "\n")], from: 0)
    }
  }

  /// Adds a line; a failure is kept, and told by every further call.
  func append(_ entry: LedgerEntry) throws(CommandFailure) {
    let bytes = PathText.encode(entry.text + "\n")
    let failure: CommandFailure? = state.withLock { state in
      if let failure = state.failure { return failure }
      do throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
          offset += try System.write(descriptor, bytes, from: offset)
        }
      } catch {
        state.failure = CommandFailure(.write, path, error)
      }
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Makes sure that what was added survives a power cut.
  func synchronize() throws(CommandFailure) {
    do throws(SystemError) {
      try System.synchronizeData(descriptor)
    } catch {
      throw CommandFailure(.write, path, error)
    }
  }

  /// The line that begins at a place.
  func entry(at offset: Int) -> LedgerEntry? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var line: [UInt8] = []
    var place = offset
    while line.count <= ManifestReader.longestLine {
      guard let count = try? System.read(descriptor, into: &bytes, at: place), count > 0 else {
        return nil
      }
      if let end = bytes[..<count].firstIndex(of: UInt8(ascii: "\n")) {
        line += bytes[..<end]
        return LedgerEntry(line[...])
      }
      line += bytes[..<count]
      place += count
    }
    return nil
  }
}
