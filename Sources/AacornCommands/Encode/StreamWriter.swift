import AACCodec
import AACContainers
import AACFormat
import Platform
import Recording

/// Puts coded frames into a file of the chosen format.
struct StreamWriter {
  private let file: OutputFile
  private let format: OutputFormat
  private let stream: AudioSpecificConfig
  /// What an MP4 file says; its priming is filled in with the first frame.
  private var movie: MP4Writer.Configuration
  private var adts: ADTSWriter?
  private var latm: LATMWriter?
  private var mp4: MP4Writer?
  /// Bytes on their way to the file; kept so that no frame allocates.
  private var bytes: [UInt8] = []
  /// Bytes of the frames alone.
  private(set) var payloadByteCount = 0

  /// A writer to `file`.
  ///
  /// M4A has its tables in front if the number of frames is known, so that playing can start while
  /// the file is loaded; else they come last; and into a pipe it goes in fragments.
  init(
    _ format: OutputFormat, to file: OutputFile, stream: AudioSpecificConfig,
    tags: MP4Tags, expectedUnitCount: Int?, nominalBitrate: Int, isMPEG2: Bool, hasChecksum: Bool
  ) throws(CommandFailure) {
    self.file = file
    self.format = format
    self.stream = stream
    movie = MP4Writer.Configuration(stream: stream)
    movie.tags = tags
    movie.expectedUnitCount = expectedUnitCount
    movie.nominalBitrate = nominalBitrate
    movie.layout = expectedUnitCount == nil ? .moovAtEnd : .faststart
    if !file.isSeekable { movie.layout = .fragmented }
    do throws(ContainerError) {
      switch format {
      case .aac:
        adts = try ADTSWriter(
          configuration: stream, version: isMPEG2 ? .mpeg2 : .mpeg4, hasChecksum: hasChecksum)
      case .latm: latm = try LATMWriter(configuration: stream)
      case .m4a: break
      }
    } catch {
      throw CommandFailure(error, path: file.path)
    }
  }

  /// Writes a frame.
  mutating func write(_ unit: AccessUnit) throws(CommandFailure) {
    bytes.removeAll(keepingCapacity: true)
    if format == .m4a && mp4 == nil { try startMovie(priming: -unit.samplePosition) }
    do throws(ContainerError) {
      try adts?.append(unit, to: &bytes)
      try latm?.append(unit, to: &bytes)
      try mp4?.append(unit, to: &bytes)
    } catch {
      throw CommandFailure(error, path: file.path)
    }
    payloadByteCount += unit.bytes.count
    try file.write(bytes)
  }

  /// Completes the file's content.
  mutating func finish(_ trim: Trim) throws(CommandFailure) {
    guard format == .m4a else { return }
    if mp4 == nil { try startMovie(priming: trim.priming) }
    let finish: MP4Writer.Finish?
    do throws(ContainerError) {
      finish = try mp4?.finish(trim)
    } catch {
      throw CommandFailure(error, path: file.path)
    }
    guard var finish else { return }
    if finish.mediaShift > 0 {
      try file.move(
        Int(finish.media.lowerBound)..<Int(finish.media.upperBound), by: Int(finish.mediaShift))
    }
    while let write = finish.next() {
      try file.write(write.bytes, at: Int(write.offset))
    }
  }

  private mutating func startMovie(priming: Int) throws(CommandFailure) {
    movie.priming = max(0, priming)
    do throws(ContainerError) {
      mp4 = try MP4Writer(configuration: movie)
    } catch {
      throw CommandFailure(error, path: file.path)
    }
    if let start = mp4?.start() { try file.write(start) }
  }
}

extension CommandFailure {
  /// Why a container cannot be written.
  init(_ error: ContainerError, path: String) {
    self.init(.unsupported, "Cannot write “\(displayed(path))”: \(error.reason)")
  }
}
