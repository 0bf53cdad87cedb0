import AacornCodec
import AacornContainers
import AacornSoundFiles
import AacornSystem

/// Produces the bytes of a recorded file in its format; exactly one of the writers is set.
///
/// `CodedFileWriter` writes complete files in several formats: its M4A begins with the frames,
/// which may be moved at the end, and is playable only then. A recording must be playable after a
/// crash, record gaps, and may contain samples. Only ADTS is common to both.
struct FileWriter: Sendable {
  private var movie: MP4RecordingWriter?
  private var adts: ADTSWriter?
  private var wav: WAVWriter?
  private var caf: CAFWriter?
  /// The file, for errors.
  var path: String
  private let isSeekable: Bool

  init(
    _ format: FileFormat, _ segment: SegmentStart, options: FileOutput.Options,
    isSeekable: Bool, path: String
  ) throws(OutputError) {
    self.path = path
    self.isSeekable = isSeekable
    do throws(ContainerError) {
      switch (format, segment.format) {
      case (.m4a, .aac(let stream, let timing)):
        var configuration = MP4RecordingWriter.Configuration(stream: stream)
        configuration.tags = options.tags
        configuration.started = Timestamp.iso8601(segment.wallTime)
        configuration.creationTime = Self.movieSeconds(segment.wallTime)
        configuration.timing = timing
        configuration.expectedUnitCount = isSeekable ? segment.expectedPacketCount : nil
        // Reserve no space for tables without seeking, because it would stay unused.
        if !isSeekable { configuration.reservedByteCount = 0 }
        movie = try MP4RecordingWriter(configuration: configuration)
        return
      case (.aac, .aac(let stream, _)):
        adts = try ADTSWriter(configuration: stream)
        return
      default:
        guard let (encoding, rate, channels) = segment.format.samples else { break }
        if format == .wav {
          wav = WAVWriter(
            encoding: encoding, sampleRate: rate, channelCount: channels,
            reservesLongSizes: isSeekable)
          return
        }
        if format == .caf {
          caf = CAFWriter(encoding: encoding, sampleRate: rate, channelCount: channels)
          return
        }
      }
    } catch {
      throw OutputError(error, writing: path)
    }
    throw OutputError(
      .unsupported, "“\(path)” cannot contain this kind of audio.", recoveryAction: .otherFormat)
  }

  /// Returns the seconds since the start of 1904 for nanoseconds since the start of 1970.
  static func movieSeconds(_ nanoseconds: Int64) -> UInt64 {
    UInt64(max(0, nanoseconds / 1_000_000_000 + 2_082_844_800))
  }

  /// Returns the bytes before the first packet.
  mutating func start() -> [UInt8] {
    movie?.start() ?? wav?.header() ?? caf?.header() ?? []
  }

  /// Appends the bytes to write for a packet, possibly none yet.
  mutating func append(_ packet: EncodedPacket, to bytes: inout [UInt8]) throws(OutputError) {
    do throws(ContainerError) {
      if movie == nil && adts == nil { return bytes += packet.bytes }
      let unit = packet.accessUnit
      try movie?.append(unit, to: &bytes)
      try adts?.append(unit, to: &bytes)
    } catch {
      throw OutputError(error, writing: path)
    }
  }

  /// Appends a ledger entry, if the format can contain it.
  mutating func append(_ gap: RecordingGap, to bytes: inout [UInt8]) throws(OutputError) {
    do throws(ContainerError) {
      try movie?.append(gap: Array(gap.json.utf8), to: &bytes)
    } catch {
      // The entry exceeds the limits of the file's metadata. The recording continues without it.
    }
  }

  /// Returns the writes that set the length in the header of a WAV or CAF file; the writes do not
  /// enlarge the file.
  func headerPatches(sampleCount: Int) -> [FileWrite] {
    if !isSeekable { return [] }
    let frameCount = UInt64(max(0, sampleCount))
    return wav?.patches(frameCount: frameCount) ?? caf?.patches(frameCount: frameCount) ?? []
  }

  /// Passes the writes that complete the file to `write`.
  mutating func finish(
    _ end: SegmentEnd, _ write: (FileWrite) throws(OutputError) -> Void
  ) throws(OutputError) {
    for patch in headerPatches(sampleCount: end.sampleCount) { try write(patch) }
    guard movie != nil else { return }
    if !isSeekable {
      var rest: [UInt8] = []
      movie?.flush(to: &rest)
      return try write(FileWrite(offset: movie?.byteCount ?? 0, bytes: rest))
    }
    let writes = try rethrow(
      as: { (error: ContainerError) in OutputError(error, writing: path) }, movie?.finish(end.trim))
    guard var writes else { return }
    while let next = writes.next() { try write(next) }
  }

  /// Returns the parts of a compact copy of a complete M4A; nil for other formats.
  func compactCopy(_ trim: StreamTrim) -> MP4RecordingWriter.CompactCopy? {
    try? movie?.compactCopy(trim)
  }
}

extension OutputError {
  init(_ error: ContainerError, writing path: String) {
    self.init(
      .unsupported, "Cannot write “\(path)”: \(error.problem)", recoveryAction: error.recoveryAction
    )
  }
}
