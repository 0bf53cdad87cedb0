import AacornContainers
public import AacornSoundFiles

/// The steps that create a new file from a damaged one.
public struct RepairedFile: Sequence, IteratorProtocol, Sendable {
  /// A step of the repair.
  public enum Step: Equatable, Sendable {
    /// Append these bytes.
    case bytes([UInt8])
    /// Append these bytes of the damaged file.
    case copy(Range<UInt64>)
    /// Apply this write, which overwrites existing bytes or appends new ones.
    case patch(FileWrite)
  }

  private var start: [UInt8]
  private let parts: [FrameList.Part]
  private let silence: [UInt8]
  private var nextPart = 0
  /// The number of silent frames still to be returned for the last part.
  private var silentCount = 0
  private var finish: MP4Writer.Finish?

  /// The maximum number of silent frames per step.
  private static let silentPiece = 4096

  /// Creates a file of frames that begins with `start` and is completed by the writes of `finish`.
  init(start: [UInt8], frames: FrameList, finish: MP4Writer.Finish) {
    self.start = start
    parts = frames.parts
    silence = frames.silence
    self.finish = finish
  }

  /// Creates a file from parts of another one, followed by writes.
  package init(parts: [Range<UInt64>], writes: [FileWrite] = []) {
    if !writes.isEmpty { finish = MP4Writer.Finish(writes) }
    start = []
    self.parts = parts.map { .file($0) }
    silence = []
  }

  /// Returns the next step, or nil when the file is complete.
  public mutating func next() -> Step? {
    if !start.isEmpty {
      defer { start = [] }
      return .bytes(start)
    }
    if silentCount > 0 {
      let count = Swift.min(silentCount, Self.silentPiece)
      silentCount -= count
      var bytes: [UInt8] = []
      for _ in 0..<count { bytes += silence }
      return .bytes(bytes)
    }
    if nextPart < parts.count {
      nextPart += 1
      switch parts[nextPart - 1] {
      case .file(let range): return .copy(range)
      case .silence(let count):
        silentCount = count
        return next()
      }
    }
    return finish?.next().map { .patch($0) }
  }
}
