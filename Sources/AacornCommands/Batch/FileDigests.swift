import AacornRecording
import AacornSystem

/// SHA-256 digests of files that many lines name, such as covers.
final class FileDigests: Sendable {
  private let known = Lock<[String: (status: System.FileStatus, digest: String)]>([:])

  /// The maximum number of cached digests.
  private static let limit = 1024

  /// Returns the digest of a file, or nil if it cannot be read; an unchanged file is not read again.
  func digest(of path: String, _ interruption: Interruption) -> String? {
    guard let status = try? System.status(of: path), status.kind == .file else { return nil }
    if let known = known.withLock({ $0[path] }), known.status == status { return known.digest }
    guard let digest = try? Self.digest(of: path, interruption) else { return nil }
    known.withLock { known in
      if known.count >= Self.limit { known = [:] }
      known[path] = (status, digest)
    }
    return digest
  }

  /// Computes the digest of a file.
  static func digest(
    of path: String, _ interruption: Interruption
  ) throws(CommandFailure) -> String {
    let file = try InputFile(path, interruption: interruption)
    var digest = SHA256()
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try file.read(into: &block)
      if count == 0 { return SHA256.text(digest.finish()) }
      digest.append(block[..<count])
    }
  }
}
