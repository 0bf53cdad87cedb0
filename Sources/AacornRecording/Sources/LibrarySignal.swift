import AacornSignal
import AacornSystem

/// Frames that the system's sound library decodes, for a signal with independent copies.
///
/// Copies share the open file. A copy that finds the file at another position decodes again from
/// the beginning, so that every copy gets the same samples.
struct LibrarySignal: Sendable {
  private let file: Lock<LibrarySoundFile>
  private let channelCount: Int
  private var position = 0
  /// The error that ended reading, as a clause.
  private(set) var problem: String?
  /// The missing audio, known at the end, as a clause about the file.
  private(set) var damage: String?

  /// Frames skipped at a time.
  private static let skipLength = 4096

  /// Takes ownership of a file at its first frame.
  init(_ file: sending LibrarySoundFile) {
    channelCount = file.channelCount
    self.file = Lock(file)
  }

  /// Appends the next frames and returns their number: fewer than requested only at the end.
  mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let first = samples.count
    samples.append(contentsOf: repeatElement(0, count: frameCount * channelCount))
    let (start, size) = (position, MemoryLayout<Float>.size)
    let (count, error, isShort) = file.withLock { file in
      guard Self.move(file, to: start) else { return (0, file.systemError, false) }
      let count = unsafe samples.withUnsafeMutableBytes { bytes in
        unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[(first * size)...]))
      }
      let isAtEnd = count < frameCount
      return (count, isAtEnd ? file.systemError : nil, isAtEnd && file.shortfall != nil)
    }
    samples.removeLast((frameCount - count) * channelCount)
    position += count
    problem = error?.text
    if isShort { damage = "is damaged or cut off; the readable part was used" }
    return count
  }

  private static func move(_ file: LibrarySoundFile, to frame: Int) -> Bool {
    if file.position > frame && !file.rewind() { return false }
    if file.position == frame { return true }
    var skippedSamples = [Float](repeating: 0, count: skipLength * file.channelCount)
    while file.position < frame {
      let length = min(skipLength, frame - file.position) * file.bytesPerFrame
      let count = unsafe skippedSamples.withUnsafeMutableBytes { bytes in
        unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<length]))
      }
      if count == 0 { return false }
    }
    return true
  }
}
