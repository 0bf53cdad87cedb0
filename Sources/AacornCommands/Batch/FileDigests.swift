import AacornRecording
import AacornSystem

/// SHA-256 digests of files, with a cache for files that are requested repeatedly.
final class FileDigests: Sendable {
  private let keptDigests = Lock<[String: KnownDigest]>([:])

  private struct KnownDigest {
    let status: System.FileStatus
    let digest: String
  }

  /// The maximum number of cached digests.
  private static let limit = 1024

  /// Returns the cached digest of an unchanged file, without reading the file.
  func keptDigest(of path: String) -> String? {
    (try? System.status(of: path)).flatMap { keptDigest(of: path, $0) }
  }

  private func keptDigest(of path: String, _ status: System.FileStatus) -> String? {
    keptDigests.withLock { $0[path] }.flatMap { $0.status == status ? $0.digest : nil }
  }

  /// Returns the digest of a file that many lines name, or nil if it cannot be read.
  ///
  /// `begin` is called before the file is read.
  func digest(of path: String, _ interruption: Interruption, begin: () -> Void) -> String? {
    guard let status = try? System.status(of: path), status.kind == .file else { return nil }
    if let known = keptDigest(of: path, status) { return known }
    begin()
    guard let digest = try? makeDigest(of: path, interruption) else { return nil }
    keptDigests.withLock { keptDigests in
      if keptDigests.count >= Self.limit { keptDigests = [:] }
      keptDigests[path] = KnownDigest(status: status, digest: digest)
    }
    return digest
  }

  /// Computes the digest of a file.
  func makeDigest(
    of path: String, _ interruption: Interruption
  ) throws(CommandFailure) -> String {
    let file = try InputFile(path, interruption: interruption)
    var digest = SHA256()
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try file.read(into: &block)
      if count == 0 { return SHA256.text(digest.finish()) }
      digest.append(block[..<count])
      if let signal = interruption.signal { throw CommandFailure(signal: signal) }
    }
  }
}
