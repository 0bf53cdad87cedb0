#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Reads at `position` without moving the file position, and returns the number of bytes; 0 at
  /// the end of the file.
  package static func read(
    _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer, at position: Int
  ) throws(SystemError) -> Int {
    while true {
      let count = onDisk(.read(descriptor), memory.count) {
        unsafe pread(descriptor, memory.baseAddress, $0, off_t(position))
      }
      if count >= 0 { return count }
      if errno != EINTR { throw .last }
    }
  }
}
