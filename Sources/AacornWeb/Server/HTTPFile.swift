import AacornSystem

/// A file, or a part of one, that is sent as the body of an answer.
///
/// The file is read while it is sent, so it may be of any size. It is closed when the last value
/// that refers to it is gone. If the file becomes shorter meanwhile, the connection is aborted, so
/// that the client notices.
public struct HTTPFile: Sendable {
  /// The open file, which must be closed only once and only here: after a second close the number
  /// could be that of a client's connection.
  private final class Handle: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { try? System.close(descriptor) }
  }

  private let handle: Handle
  /// The offset of the part in the file.
  public let offset: Int
  /// The length of the part in bytes.
  public let count: Int

  private init(_ handle: Handle, offset: Int, count: Int) {
    self.handle = handle
    self.offset = offset
    self.count = count
  }

  /// Takes this many bytes of a file open for reading; the descriptor belongs to this value from
  /// now on.
  public init(descriptor: Int32, offset: Int = 0, count: Int) {
    self.init(Handle(descriptor), offset: max(0, offset), count: max(0, count))
  }

  /// A part of this part.
  func part(_ range: Range<Int>) -> HTTPFile {
    HTTPFile(handle, offset: offset + range.lowerBound, count: range.count)
  }

  /// Reads some bytes from a position in the part; nil if the file is unreadable or too short.
  func read(from position: Int, into space: UnsafeMutableRawBufferPointer) -> Int? {
    let limit = min(space.count, count - position)
    guard limit > 0 else { return nil }
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<limit])
    let length = try? unsafe System.read(handle.descriptor, into: part, at: offset + position)
    return length == 0 ? nil : length
  }
}
