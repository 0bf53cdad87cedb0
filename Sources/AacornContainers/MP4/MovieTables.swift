import AacornCodec
import AacornSignal

/// The sizes and positions of a track's frames, and the final movie box that lists them.
///
/// Every writer completes its file with this type: `MP4Writer`, whose audio can still move;
/// `MP4RecordingWriter`, whose audio is in fragments; and `MP4Completion`, for audio found in a
/// damaged file. Frames are appended one by one. At the end, the movie is built first, because its
/// length determines its position. The writes that insert the movie and its tables follow.
///
/// Memory: two bytes per frame, and eight per chunk with its own offset.
struct MovieTables: Sendable {
  let parameters: TrackParameters
  private(set) var sizes: [UInt16] = []
  private(set) var payloadByteCount: UInt64 = 0
  /// The chunks with their own offsets; empty if all frames are consecutive.
  private var chunks = ChunkRuns()
  private(set) var offsets: [UInt64] = []

  /// Creates tables without frames.
  ///
  /// - Throws: ``ContainerError`` if MP4 cannot carry the stream, or cannot list `unitCount`
  ///   frames.
  init(
    _ stream: AudioSpecificConfig, _ timing: StreamTiming, expecting unitCount: Int? = nil
  ) throws(ContainerError) {
    parameters = try TrackParameters(stream, timing)
    guard let unitCount else { return }
    guard unitCount <= TrackParameters.unitLimit else {
      throw .tooManyFrames(limit: TrackParameters.unitLimit)
    }
    sizes.reserveCapacity(max(0, unitCount))
  }

  var unitCount: Int { sizes.count }

  mutating func append(byteCount: Int) throws(ContainerError) {
    let size = try Self.size(byteCount, after: sizes.count)
    sizes.append(size)
    payloadByteCount += UInt64(size)
  }

  /// Returns the size of a frame after `unitCount` others; throws if it exceeds a table's limits.
  static func size(_ byteCount: Int, after unitCount: Int) throws(ContainerError) -> UInt16 {
    guard let size = UInt16(exactly: byteCount) else {
      throw .frameTooLong(byteCount: byteCount, limit: FrameLimits.maxTableByteCount)
    }
    guard unitCount < TrackParameters.unitLimit else {
      throw .tooManyFrames(limit: TrackParameters.unitLimit)
    }
    return size
  }

  /// Sets the offset of the next chunk of frames, unless the chunk is empty.
  mutating func append(_ chunk: MP4FragmentWriter.Chunk) {
    guard chunk.unitCount > 0 else { return }
    chunks.append(unitCount: chunk.unitCount)
    offsets.append(chunk.offset)
  }

  /// The byte range of every chunk with its own offset.
  var chunkRanges: [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    ranges.reserveCapacity(offsets.count)
    var unit = 0
    for (index, run) in chunks.runs.enumerated() {
      let next =
        index + 1 < chunks.runs.count ? Int(chunks.runs[index + 1].first) - 1 : offsets.count
      while ranges.count < next {
        let end = unit + Int(run.unitCount)
        let byteCount = sizes[unit..<end].reduce(UInt64(0)) { $0 + UInt64($1) }
        let offset = offsets[ranges.count]
        ranges.append(offset..<offset + byteCount)
        unit = end
      }
    }
    return ranges
  }

  /// Returns the final form of a movie, with the values that depend on the frames.
  ///
  /// Chunks with their own offsets replace the chunks of the movie. `parts` are the played parts,
  /// or empty if everything between the ends of the trim is played.
  func completed(
    _ movie: Movie, _ trim: StreamTrim, parts: [Range<UInt64>] = []
  ) -> Movie {
    var movie = movie
    movie.parts = parts
    movie.isFragmented = false
    movie.priming = UInt32(trim.priming)
    movie.validCount = UInt64(trim.sampleCount)
    movie.bitrates = BitrateStatistics(
      sizes: sizes, samplesPerUnit: parameters.samplesPerUnit, timescale: parameters.timescale)
    if !offsets.isEmpty {
      movie.chunks = chunks
      movie.usesLargeOffsets = (offsets.max() ?? 0) > 0xFFFF_FFFF
    }
    return movie
  }
}

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

/// The two bitrates in a decoder configuration (ISO/IEC 14496-1, 7.2.6.6).
struct BitrateStatistics: Equatable {
  /// The highest number of bits in any window of one second, wherever it starts.
  var maximum: UInt32
  /// All bits divided by the total time.
  var average: UInt32
}

extension BitrateStatistics {
  /// Measures frames of `samplesPerUnit` samples at `timescale` samples per second.
  ///
  /// The bits of a frame count as spread evenly over its duration.
  ///
  /// The sum over a sliding window is therefore piecewise linear, with its maximum where the window
  /// starts or ends at a frame boundary.
  init(sizes: [UInt16], samplesPerUnit: UInt64, timescale: UInt64) {
    guard !sizes.isEmpty else {
      maximum = 0
      average = 0
      return
    }
    var byteTotal: UInt64 = 0
    for size in sizes { byteTotal += UInt64(size) }
    let mean =
      Double(byteTotal) * 8 * Double(timescale) / (Double(sizes.count) * Double(samplesPerUnit))
    average = UInt32(min(mean + 0.5, 4_294_967_295))
    let wholeUnits = Int(timescale / samplesPerUnit)
    let rest = timescale % samplesPerUnit
    var sum: UInt64 = 0
    var peak: UInt64 = 0
    for index in 0..<sizes.count {
      sum += UInt64(sizes[index])
      let first = index - wholeUnits + 1
      if first > 0 { sum -= UInt64(sizes[first - 1]) }
      let before = first > 0 ? sizes[first - 1] : 0
      let after = index + 1 < sizes.count ? sizes[index + 1] : 0
      peak = max(peak, sum &* samplesPerUnit &+ UInt64(max(before, after)) &* rest)
    }
    let bits = (peak &* 8 &+ samplesPerUnit - 1) / samplesPerUnit
    maximum = max(average, UInt32(min(bits, 4_294_967_295)))
  }
}
