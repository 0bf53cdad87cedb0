import AacornSystem

/// A file that is sent as the body of an answer, or a part of one.
///
/// The file is read while it is sent, so its size does not matter, and it may be as large as it
/// likes. It is closed when the last value that refers to it is gone. A file that becomes shorter
/// meanwhile ends the connection before its time, so that the client notices.
public struct HTTPFile: Sendable {
  /// The open file, which is closed once and by nobody else: the number of a file that is closed
  /// twice may by then be that of a client's connection.
  private final class Handle: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { try? System.close(descriptor) }
  }

  private let handle: Handle
  /// Where in the file the part begins.
  public let offset: Int
  /// Bytes of the part.
  public let count: Int

  private init(_ handle: Handle, offset: Int, count: Int) {
    self.handle = handle
    self.offset = offset
    self.count = count
  }

  /// So many bytes of a file that is open for reading; the descriptor is this value's from now on.
  public init(descriptor: Int32, offset: Int = 0, count: Int) {
    self.init(Handle(descriptor), offset: max(0, offset), count: max(0, count))
  }

  /// A part of this part.
  func part(_ range: Range<Int>) -> HTTPFile {
    HTTPFile(handle, offset: offset + range.lowerBound, count: range.count)
  }

  /// Reads some bytes from a place of the part on; nil if the file cannot be read or is too short.
  func read(from position: Int, into space: UnsafeMutableRawBufferPointer) -> Int? {
    let limit = min(space.count, count - position)
    guard limit > 0 else { return nil }
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<limit])
    let length = try? unsafe System.read(handle.descriptor, into: part, at: offset + position)
    return length == 0 ? nil : length
  }
}
