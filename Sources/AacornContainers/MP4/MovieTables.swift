import AacornCodec
import AacornSignal

/// The frames of a track as they are noted, and the final movie box that lists them.
///
/// Whatever completes a file does it with this, whether the audio may still move, was written in
/// fragments or was found in a damaged file. Frames go in one by one. At the end come the movie,
/// whose length decides where it fits, and the writes that put it there with its tables.
///
/// Takes two bytes per frame, and eight per chunk with a place of its own.
struct MovieTables: Sendable {
  /// The track.
  let parameters: TrackParameters
  /// The size of every frame.
  private(set) var sizes: [UInt16] = []
  /// Bytes of all frames.
  private(set) var payloadByteCount: UInt64 = 0
  /// The chunks with a place of their own; none if all frames are consecutive.
  private var chunks = ChunkRuns()
  /// Where each of them begins.
  private var offsets: [UInt64] = []

  /// Tables without frames; throws if MP4 cannot carry the stream, or not that many frames of it.
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

  /// Frames so far.
  var unitCount: Int { sizes.count }

  /// Adds a frame of this size.
  mutating func append(byteCount: Int) throws(ContainerError) {
    let size = try Self.size(byteCount, after: sizes.count)
    sizes.append(size)
    payloadByteCount += UInt64(size)
  }

  /// The size of a frame after `unitCount` others; throws if there is no place in a table for it.
  static func size(_ byteCount: Int, after unitCount: Int) throws(ContainerError) -> UInt16 {
    guard let size = UInt16(exactly: byteCount) else {
      throw .frameTooLong(byteCount: byteCount, limit: Int(UInt16.max))
    }
    guard unitCount < TrackParameters.unitLimit else {
      throw .tooManyFrames(limit: TrackParameters.unitLimit)
    }
    return size
  }

  /// Places the next frames without a place, unless the chunk is empty.
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

  /// Throws unless there are as many samples in all frames.
  func check(_ trim: StreamTrim) throws(ContainerError) {
    try parameters.check(trim, unitCount: unitCount)
  }

  /// The final form of a movie that says everything but what follows from the frames.
  ///
  /// Chunks with a place of their own replace those that the movie has. If only parts are heard
  /// between the trim's ends, `parts` are these.
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

  /// The writes that put the final movie into a file.
  ///
  /// - Parameters:
  ///   - movie: The final movie.
  ///   - box: What the movie wrote.
  ///   - offset: Where it is placed.
  ///   - mediaStart: Where the first frame begins if all frames are consecutive.
  ///   - first: What to write before it.
  ///   - last: What to write after it.
  /// - Returns: The writes, in order.
  func writes(
    of movie: Movie, _ box: BoxWriter, at offset: UInt64, mediaStart: UInt64? = nil,
    first: [FileWrite] = [], last: [FileWrite]
  ) -> MovieWrites {
    var box = box
    box.fillPlace(at: offset)
    var places = MovieWrites.ChunkPlaces.listed(offsets)
    if let mediaStart {
      places = .inARow(from: mediaStart, unitsPerChunk: parameters.unitsPerChunk)
    }
    return MovieWrites(
      movie: box, at: offset, usesLargeOffsets: movie.usesLargeOffsets, sizes: sizes,
      places: places, first: first, last: last)
  }
}
