import Glibc

/// A file on disk that is read on demand.
@safe
final class SoundFileBytes {
  private let file: UnsafeMutablePointer<FILE>

  /// Opens the file; throws the error code of the system's audio file reader.
  init(_ path: UnsafePointer<CChar>) throws(FileFault) {
    guard let opened = unsafe fopen(path, "rb") else {
      switch errno {
      case ENOENT: throw FileFault(FileCode.notFound)
      case EACCES: throw FileFault(FileCode.noPermission)
      default: throw FileFault(FileCode.unspecified)
      }
    }
    unsafe file = unsafe opened
  }

  deinit { _ = unsafe fclose(file) }

  /// Returns the bytes at `offset`, fewer at the end.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, unsafe fseek(file, offset, SEEK_SET) == 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let found = unsafe fread(&bytes, 1, count, file)
    return Array(bytes.prefix(found))
  }

  /// The current size in bytes.
  var count: Int {
    guard unsafe fseek(file, 0, SEEK_END) == 0 else { return 0 }
    return unsafe max(0, ftell(file))
  }
}

/// The reason why a file cannot be read.
struct FileFault: Error {
  let status: Int32

  init(_ status: Int32) {
    self.status = status
  }
}

extension [UInt8] {
  /// Returns the big- or little-endian number at `offset`, or 0 past the end.
  func number(at offset: Int, bytes count: Int, isBig: Bool) -> UInt64 {
    guard offset >= 0, offset + count <= self.count else { return 0 }
    let range = self[offset..<offset + count]
    let ordered: [UInt8] = isBig ? Array(range) : range.reversed()
    return ordered.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
