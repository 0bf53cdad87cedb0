import AacornSystem

/// A file, or a part of a file, that is sent as the body of a response.
///
/// The file is read while it is sent, so it may have any size. It is closed when no value refers to
/// it anymore. If the file is truncated during the response, the connection is aborted, so that the
/// client detects it.
public struct HTTPFile: Sendable {
  private let handle: OpenFile
  /// The offset of the part in the file.
  public let offset: Int
  /// The length of the part in bytes.
  public let count: Int

  private init(_ handle: OpenFile, offset: Int, count: Int) {
    self.handle = handle
    self.offset = offset
    self.count = count
  }

  /// Creates a part of a file that is open for reading.
  ///
  /// The value owns the descriptor from now on.
  public init(descriptor: Int32, offset: Int = 0, count: Int) {
    self.init(OpenFile(descriptor), offset: max(0, offset), count: max(0, count))
  }

  /// Returns a part of this part.
  ///
  /// `range` is relative to this part.
  func part(_ range: Range<Int>) -> HTTPFile {
    HTTPFile(handle, offset: offset + range.lowerBound, count: range.count)
  }

  /// Reads bytes from a position in the part.
  ///
  /// Returns nil if the file is unreadable or too short.
  func read(from position: Int, into space: UnsafeMutableRawBufferPointer) -> Int? {
    let limit = min(space.count, count - position)
    guard limit > 0 else { return nil }
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<limit])
    let length = try? unsafe System.read(handle.descriptor, into: part, at: offset + position)
    return length == 0 ? nil : length
  }
}
