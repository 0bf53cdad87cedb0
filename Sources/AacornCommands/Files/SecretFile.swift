import AacornRecording
import AacornSystem

extension OptionValue {
  /// Reads a file with secrets that an option names, if no other user can read the file.
  ///
  /// `content` describes the content in messages, such as `passwords`.
  static func secret(
    in path: String, option: String, content: String, environment: (String) -> String?
  ) throws(UsageError) -> String {
    // A larger file is not a file with secrets.
    let maxByteCount = 65_536
    // Opening a named pipe could block forever. But a descriptor that a shell opened for “<(…)”
    // delivers its text immediately.
    try reject(
      if: (try? System.status(of: path))?.kind == .other && !isDescriptor(path),
      "“\(displayed(path))” is not a file.", hint: "Check the file that \(option) names.")
    let (bytes, status) = try Self.content(of: path, option: option, maxByteCount: maxByteCount)
    // Credentials from a service manager have an access control list, which appears as group
    // permissions. So only the permissions of others are checked for them.
    let folder = environment("CREDENTIALS_DIRECTORY")
    let isKeptBySystem = folder.map { path.hasPrefix($0 + "/") } ?? false
    try reject(
      if: !status.isOwnedByUserOrRoot,
      "“\(displayed(path))”, which contains \(content), belongs to another user.",
      hint: "The other user can change it. Create your own file.")
    try reject(
      if: status.permissions & (isKeptBySystem ? 0o007 : 0o077) != 0,
      "Other users may read “\(displayed(path))”, which contains \(content).",
      hint: "Remove that permission: chmod 600 \(shellWord(path))")
    try reject(
      if: bytes.count > maxByteCount,
      "“\(displayed(path))” is too large for a file with \(content).")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether a path refers to an inherited descriptor.
  private static func isDescriptor(_ path: String) -> Bool {
    path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }

  private static func shellWord(_ path: String) -> String {
    let needsNoQuotes = path.utf8.allSatisfy { byte in
      byte.isLetter || byte.isDigit || "/._-".utf8.contains(byte)
    }
    return needsNoQuotes ? path : "'" + displayed(path) + "'"
  }

  /// Reads a file that an option names, up to one block more than `maxByteCount`.
  static func content(
    of path: String, option: String, maxByteCount: Int
  ) throws(UsageError) -> (bytes: [UInt8], status: System.FileStatus) {
    do throws(SystemError) {
      let file = try System.open(path, for: .reading)
      defer { try? System.close(file) }
      let status = try System.status(of: file)
      if status.kind == .folder { throw .isFolder }
      return (try System.contents(of: file, limit: maxByteCount), status)
    } catch {
      throw UsageError(
        CommandFailure(.open, path, because: error).commandMessage,
        hint: "Check the file that \(option) names.")
    }
  }
}
