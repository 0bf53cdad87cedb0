/// The number of frames in each chunk of a track (ISO/IEC 14496-12, 8.7.4).
///
/// Consecutive equal chunks share one entry, so a table for a day of audio has only a handful.
struct ChunkRuns: Sendable {
  /// Consecutive equal chunks.
  struct Run: Equatable, Sendable {
    /// The number of the first chunk, from 1.
    var first: UInt32
    /// The number of frames in each chunk.
    var unitCount: UInt32
  }

  private(set) var runs: [Run] = []
  private(set) var chunkCount = 0
  /// The number of frames in all chunks.
  private(set) var unitCount = 0

  init() {}

  /// Creates chunks of `perChunk` frames; the last one has the remainder.
  init(unitCount: Int, perChunk: Int) {
    let whole = unitCount / perChunk
    if whole > 0 {
      runs.append(Run(first: 1, unitCount: UInt32(perChunk)))
      chunkCount = whole
      self.unitCount = whole * perChunk
    }
    append(unitCount: unitCount % perChunk)
  }

  /// Adds a chunk, unless it is empty.
  mutating func append(unitCount count: Int) {
    guard count > 0 else { return }
    if runs.last?.unitCount != UInt32(count) {
      runs.append(Run(first: UInt32(chunkCount + 1), unitCount: UInt32(count)))
    }
    chunkCount += 1
    unitCount += count
  }
}
