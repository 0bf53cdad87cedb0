public import AacornCodec
import AacornSignal

/// Writes M4A files (ISO/IEC 14496-12 and 14496-14), bytes in and bytes out, without file access.
///
///     faststart    ftyp  free → moov  free mdat[ … ]
///     moovAtEnd    ftyp               free mdat[ … ]  moov
///     fragmented   ftyp  moov  moof mdat[1 s]  moof mdat[1 s] …
///
/// Write what `start` returns and what `append` adds in that order, then do what `finish` says:
///
///     file.write(writer.start())
///     for unit in units { try writer.append(unit, to: &bytes); … }
///     var finish = try writer.finish(trim)
///     // if finish.mediaShift > 0, move finish.media that far toward the end of the file
///     while let write = finish.next() { file.write(write.bytes, at: write.offset) }
///
/// Keeps two bytes per frame, 8 MB for a day at 48 kHz.
public struct MP4Writer: Sendable {
  /// The configuration of the writer.
  public let configuration: Configuration
  private let parameters: TrackParameters
  /// The size of the movie box to come, if known, else 0.
  private let reservedByteCount: Int
  private var fragments: MP4FragmentWriter
  /// The size of every frame.
  private var sizes: [UInt16] = []
  private var payloadByteCount: UInt64 = 0

  /// Frames kept out of fragments until the end, because only the last fragment can say that its
  /// last frames are not played; more than an encoder's final look-ahead fills.
  private static let heldBack = 3

  /// A writer for one file; throws if MP4 cannot carry the stream.
  public init(configuration: Configuration) throws(ContainerError) {
    try configuration.tags.validate()
    parameters = try TrackParameters(configuration.stream, configuration.timing)
    if let count = configuration.expectedUnitCount, count > TrackParameters.unitLimit {
      throw .tooManyFrames(limit: TrackParameters.unitLimit)
    }
    guard configuration.timing.priming >= 0, configuration.timing.priming <= Int(Int32.max) else {
      throw .trimOutsideStream(priming: configuration.timing.priming, sampleCount: 0)
    }
    self.configuration = configuration
    if let count = configuration.expectedUnitCount, configuration.layout == .faststart {
      var writer = BoxWriter()
      Self.movie(configuration, parameters, unitCount: max(0, count)).write(to: &writer)
      reservedByteCount = writer.byteCount
    } else {
      reservedByteCount = 0
    }
    fragments = MP4FragmentWriter(
      parameters, unitsPerFragment: parameters.unitsPerChunk, heldBack: Self.heldBack)
    sizes.reserveCapacity(max(0, configuration.expectedUnitCount ?? 0))
  }

  /// The bytes before the first frame.
  public mutating func start() -> [UInt8] {
    var box = Self.fileType(configuration.layout)
    if configuration.layout == .fragmented {
      initialMovie.write(to: &box)
      fragments.pass(box.byteCount)
      return box.bytes
    }
    if reservedByteCount > 0 {
      box.put32(UInt32(reservedByteCount))
      box.put(.free)
      box.putZeros(reservedByteCount - 8)
    }
    // Room for a 64-bit size. Until `finish`, the audio extends to the end of the file.
    box.put32(8)
    box.put(.free)
    box.put32(0)
    box.put(.mediaData)
    return box.bytes
  }

  /// Adds one frame; appends what is to be written next, possibly nothing, to `bytes`.
  public mutating func append(_ unit: AccessUnit, to bytes: inout [UInt8]) throws(ContainerError) {
    try count(unit.bytes.count)
    if configuration.layout == .fragmented {
      fragments.append(unit.bytes, to: &bytes)
    } else {
      bytes.append(contentsOf: unit.bytes)
    }
  }

  /// Counts a frame of this size that the caller writes to the file itself, at this position.
  ///
  /// Not for `fragmented`, which must hold the frames of a fragment itself.
  public mutating func count(_ byteCount: Int) throws(ContainerError) {
    guard let size = UInt16(exactly: byteCount) else {
      throw .frameTooLong(byteCount: byteCount, limit: Int(UInt16.max))
    }
    guard sizes.count < TrackParameters.unitLimit, fragments.unitCount < TrackParameters.unitLimit
    else { throw .tooManyFrames(limit: TrackParameters.unitLimit) }
    if configuration.layout == .fragmented { return }
    sizes.append(size)
    payloadByteCount += UInt64(size)
  }

  /// Completes the file; `trim` says which of the decoded samples belong to the input.
  ///
  /// If written data cannot be moved, `mayMove` false puts tables that do not fit in front after
  /// the audio.
  public mutating func finish(
    _ trim: Trim, mayMove: Bool = true
  ) throws(ContainerError) -> Finish {
    let isFragmented = configuration.layout == .fragmented
    let unitCount = isFragmented ? fragments.unitCount : sizes.count
    let total = UInt64(unitCount) &* parameters.samplesPerUnit
    guard trim.priming >= 0, trim.priming <= Int(Int32.max), trim.sampleCount >= 0,
      UInt64(trim.priming) + UInt64(trim.sampleCount) <= total,
      !isFragmented || trim.priming == configuration.timing.priming
    else {
      throw .trimOutsideStream(priming: trim.priming, sampleCount: trim.sampleCount)
    }
    if isFragmented {
      let offset = fragments.byteCount
      var bytes: [UInt8] = []
      let played = UInt64(trim.priming) + UInt64(trim.sampleCount)
      fragments.finish(remainder: total - played, to: &bytes)
      return Finish(write: FileWrite(offset: offset, bytes: bytes))
    }
    var movie = Self.movie(
      configuration, parameters, unitCount: unitCount, payloadByteCount: payloadByteCount)
    movie.priming = UInt32(trim.priming)
    movie.validCount = UInt64(trim.sampleCount)
    movie.bitrates = BitrateStatistics(
      sizes: sizes, samplesPerUnit: parameters.samplesPerUnit, timescale: parameters.timescale)
    let isMovieFirst = configuration.layout == .faststart
    let finish = Finish(
      movie: movie, sizes: sizes, payloadByteCount: payloadByteCount,
      fileTypeByteCount: fileTypeByteCount, reservedByteCount: reservedByteCount,
      isMovieFirst: isMovieFirst)
    if mayMove || finish.mediaShift == 0 { return finish }
    return Finish(
      movie: movie, sizes: sizes, payloadByteCount: payloadByteCount,
      fileTypeByteCount: fileTypeByteCount, reservedByteCount: reservedByteCount,
      isMovieFirst: false)
  }

  /// The movie box of a file with its tables in one place.
  ///
  /// The width of chunk offsets must follow from the number of frames, because the space is
  /// reserved before their sizes are known. So it is based on the largest frames that a decoder
  /// must accept.
  private static func movie(
    _ configuration: Configuration, _ parameters: TrackParameters, unitCount: Int,
    payloadByteCount: UInt64 = 0
  ) -> Movie {
    var movie = Movie(
      parameters: parameters, tags: configuration.tags, creationTime: configuration.creationTime,
      chunks: ChunkRuns(unitCount: unitCount, perChunk: parameters.unitsPerChunk),
      bitrates: BitrateStatistics(maximum: 0, average: 0), notes: configuration.notes)
    let largest = UInt64(unitCount) &* UInt64(parameters.bufferByteCount)
    movie.usesLargeOffsets = true
    var writer = fileType(configuration.layout)
    movie.write(to: &writer)
    let end = UInt64(writer.byteCount + 24) + max(largest, payloadByteCount)
    movie.usesLargeOffsets = end > 0xFFFF_FFFF
    return movie
  }

  /// The movie box of a file whose tables are in its fragments.
  private var initialMovie: Movie {
    let nominal = UInt32(clamping: configuration.timing.nominalBitrate)
    return Movie(
      parameters: parameters, tags: configuration.tags, creationTime: configuration.creationTime,
      priming: UInt32(configuration.timing.priming),
      bitrates: BitrateStatistics(maximum: nominal, average: nominal), isFragmented: true,
      notes: configuration.notes)
  }

  private var fileTypeByteCount: Int { Self.fileType(configuration.layout).byteCount }

  private static func fileType(_ layout: Layout) -> BoxWriter {
    var writer = BoxWriter()
    writer.putFileType(isFragmented: layout == .fragmented)
    return writer
  }
}
