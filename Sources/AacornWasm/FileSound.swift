import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles

/// The samples of an audio file of any supported format.
///
/// All methods are `mutating` so that access in place makes no copies.
struct FileSound {
  /// The reader of the file.
  private enum Kind {
    case unknown
    case coded
    case stored
  }

  private let byteCount: UInt64
  private let options: CodedAudioReader.Options
  private var kind = Kind.unknown
  private var coded: CodedAudioReader
  private var stored: StoredSound
  private var storedContainer = SoundContainer.unknown
  /// The reason why the file cannot be read any further.
  private(set) var failure: Int32?

  init(byteCount: UInt64, options: CodedAudioReader.Options) {
    self.byteCount = byteCount
    self.options = options
    coded = CodedAudioReader(byteCount: byteCount, options: options)
    stored = StoredSound(byteCount: byteCount)
  }

  /// Returns the next event; returns the end after a failure.
  mutating func step() -> CodedAudioReader.Step {
    if failure != nil { return .end }
    switch kind {
    case .unknown:
      let count = min(UInt64(FileKind.longPrefixCount), byteCount)
      if count > 0 { return .need(offset: 0, count: Int(count)) }
      failure = Failure.notRecognized
    case .stored:
      do throws(PCMFileError) {
        return try stored.step()
      } catch {
        failure = Failure.of(error)
      }
    case .coded:
      do throws(CodedAudioError) {
        let step = try coded.step()
        guard case .format = step, hasSharedBytes() else { return step }
        failure = Failure.sharedBytes
      } catch {
        failure = Failure.of(error)
      }
    }
    return .end
  }

  /// Whether the tables of a movie repeat more than half the bytes of the file.
  ///
  /// The samples of a small file could otherwise fill all memory.
  private mutating func hasSharedBytes() -> Bool {
    guard let movie = coded.movie else { return false }
    return movie.sharedByteCount > byteCount / 2
  }

  /// Supplies the requested bytes; fewer mean that the file ends there.
  mutating func supply(_ bytes: [UInt8]) {
    switch kind {
    case .coded: coded.supply(bytes)
    case .stored:
      do throws(PCMFileError) {
        try stored.supply(bytes)
      } catch {
        failure = Failure.of(error)
      }
    case .unknown:
      // The chosen reader requests the first bytes again.
      storedContainer = SoundContainer(FileKind(prefix: bytes.span))
      kind = storedContainer == .unknown ? .coded : .stored
    }
  }

  /// Returns the interleaved samples of the last step.
  mutating func samples() -> [Float] { kind == .coded ? coded.samples : stored.samples }

  mutating func container() -> SoundContainer {
    guard kind == .coded else { return storedContainer }
    return switch coded.kind {
    case .adts: .adts
    case .latm: .latm
    case .adif: .adif
    case .mp4: .mp4
    case .transportStream: .transportStream
    case nil: .unknown
    }
  }

  /// Returns the movie, once its tables are read; nil for other files.
  mutating func movie() -> MP4Reader? { kind == .coded ? coded.movie : nil }

  /// Returns the samples per channel in the file, or −1 if the file does not specify them.
  mutating func frameCount() -> Double {
    guard kind == .coded else { return Double(stored.frameCount) }
    guard let count = coded.frameCount else { return -1 }
    return Double(count)
  }

  /// Seeks to a frame; returns whether that is possible.
  ///
  /// If not, restarts from the first frame.
  mutating func seek(toFrame frame: UInt64) -> Bool {
    guard kind == .coded else { return stored.seek(toFrame: frame) }
    if coded.seek(toFrame: Int(clamping: frame)) { return true }
    coded = CodedAudioReader(byteCount: byteCount, options: options)
    return false
  }
}

/// Reads the samples of a WAV, AIFF or CAF file, with the same steps as the reader of AAC files.
struct StoredSound {
  /// The interleaved samples of the last step at full scale ±1.
  private(set) var samples: [Float] = []

  private let byteCount: UInt64
  private var header = PCMFileReader()
  private var info: PCMFileInfo?
  private var frames: PCMFrameReader?
  /// The next file offset to read.
  private var position: UInt64 = 0
  private var isFormatReported = false
  /// The number of frames in `samples` that have not been reported.
  private var newFrameCount = 0

  private static let pieceLength: UInt64 = 1 << 16

  init(byteCount: UInt64) {
    self.byteCount = byteCount
  }

  /// The number of samples per channel; 0 before the header is complete.
  var frameCount: UInt64 { info?.frameCount(inFileOf: byteCount) ?? 0 }

  mutating func step() throws(PCMFileError) -> CodedAudioReader.Step {
    if info == nil, position >= byteCount { process(try header.finish()) }
    if let format = info?.format, !isFormatReported {
      isFormatReported = true
      return .format(
        sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout)
    }
    if newFrameCount > 0 {
      let count = newFrameCount
      newFrameCount = 0
      return .samples(frameCount: count)
    }
    if position >= byteCount || frames?.isAtEnd == true { return .end }
    return .need(offset: position, count: Int(min(Self.pieceLength, byteCount - position)))
  }

  /// Supplies the requested bytes; none mean that the file ends there.
  mutating func supply(_ bytes: [UInt8]) throws(PCMFileError) {
    if info == nil {
      let step = bytes.isEmpty ? try header.finish() : try header.push(bytes.span)
      if case .needMore = step { position += UInt64(bytes.count) }
      process(step)
      return
    }
    position = bytes.isEmpty ? byteCount : position + UInt64(bytes.count)
    samples.removeAll(keepingCapacity: true)
    Self.read(bytes, with: &frames, into: &samples)
    newFrameCount = samples.count / (info?.format.channelCount ?? 1)
  }

  private mutating func process(_ step: PCMFileReader.Step) {
    switch step {
    case .needMore: break
    case .seek(let offset): position = offset
    case .ready(let info):
      self.info = info
      _ = seek(toFrame: 0)
    }
  }

  /// Seeks to a frame; returns false before the header is complete.
  mutating func seek(toFrame frame: UInt64) -> Bool {
    guard let info else { return false }
    let skipped = min(frame, frameCount) * UInt64(info.format.bytesPerFrame)
    position = info.dataOffset + skipped
    frames = PCMFrameReader(format: info.format, byteCount: info.dataByteCount.map { $0 - skipped })
    newFrameCount = 0
    return true
  }

  // Static, because a span of one property excludes a mutation of another.
  private static func read(
    _ bytes: [UInt8], with frames: inout PCMFrameReader?, into samples: inout [Float]
  ) {
    frames?.read(bytes.span, into: &samples)
  }
}
