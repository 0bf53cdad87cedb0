import Glibc

/// The temporary file of this process, for code that accepts only paths.
enum FuzzFile {
  private static let path: String = {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    return "\(folder)/aacorn-fuzz-\(getpid())"
  }()

  static func write(_ bytes: [UInt8]) -> String {
    let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    require(descriptor >= 0, "no file can be made at \(path)")
    require(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count, "the disk is full")
    close(descriptor)
    return path
  }
}
