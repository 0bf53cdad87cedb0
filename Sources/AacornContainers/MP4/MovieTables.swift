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
  private var offsets: [UInt64] = []

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

  /// Throws unless the frames contain the samples of `trim`.
  func check(_ trim: StreamTrim) throws(ContainerError) {
    try parameters.check(trim, unitCount: unitCount)
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

  /// Returns the writes that insert the final movie into a file.
  ///
  /// - Parameters:
  ///   - movie: The final movie.
  ///   - box: The serialized movie box.
  ///   - offset: The file offset of the box.
  ///   - mediaStart: The file offset of the first frame if all frames are consecutive.
  ///   - first: The writes to perform before that of the box.
  ///   - last: The writes to perform after that of the box.
  /// - Returns: The writes, in order.
  func writes(
    of movie: Movie, _ box: BoxWriter, at offset: UInt64, mediaStart: UInt64? = nil,
    first: [FileWrite] = [], last: [FileWrite]
  ) -> MovieWrites {
    var box = box
    box.fillReservedOffset(at: offset)
    var chunkOffsets = MovieWrites.ChunkOffsets.listed(offsets)
    if let mediaStart {
      chunkOffsets = .consecutive(from: mediaStart, unitsPerChunk: parameters.unitsPerChunk)
    }
    return MovieWrites(
      movie: box, at: offset, usesLargeOffsets: movie.usesLargeOffsets, sizes: sizes,
      chunkOffsets: chunkOffsets, first: first, last: last)
  }
}
