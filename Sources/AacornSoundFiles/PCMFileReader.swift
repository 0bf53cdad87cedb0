import AacornSignal

/// Reads the header of a WAV, AIFF or CAF file pushed to it in pieces.
///
/// Push the file from its beginning until the result is `ready`. Then read the samples from
/// `dataOffset` on, for example with `PCMFrameReader`. Without a seek, `dataOffset` is never before
/// the last piece pushed, so a pipe needs to keep only that piece.
///
/// Memory use stays within a few kilobytes, whatever the header contains.
public struct PCMFileReader: Sendable {
  /// The next action of the caller.
  @frozen
  public enum Step: Equatable, Sendable {
    /// Push the bytes that follow.
    case needMore
    /// Push the bytes from this offset on, or call `finish` if the file ends before it.
    case seek(to: UInt64)
    /// The header is complete.
    case ready(PCMFileInfo)
  }

  /// More channels than this mean a broken header.
  public static let maximumChannelCount = 64
  /// Rates above this, in hertz, mean a broken header.
  public static let maximumSampleRate = 3_072_000

  private enum Parser {
    case sniff
    case wav(WAVHeaderParser)
    case aiff(AIFFHeaderParser)
    case caf(CAFHeaderParser)
  }

  private let canSeek: Bool
  private var parser = Parser.sniff
  /// File offset of the next byte to process.
  private var position: UInt64 = 0
  private var wantedOffset: UInt64 = 0
  private var wantedCount = FileKind.prefixCount
  private var field: [UInt8] = []
  private var info: PCMFileInfo?

  /// Creates a reader at the beginning of a file.
  ///
  /// With `canSeek` false, as for a pipe, it never requests a seek: it ignores the chunks after the
  /// samples, or throws `requiresSeeking` if it needs them.
  public init(canSeek: Bool = true) {
    self.canSeek = canSeek
  }

  /// Processes the next bytes of the file.
  ///
  /// After an error, the reader cannot be used again.
  public mutating func push(_ bytes: Span<UInt8>) throws(PCMFileError) -> Step {
    var index = 0
    while true {
      if let info { return .ready(info) }
      if position < wantedOffset {
        let skipped = Int(min(wantedOffset - position, UInt64(bytes.count - index)))
        index += skipped
        position += UInt64(skipped)
      }
      while position >= wantedOffset && field.count < wantedCount && index < bytes.count {
        field.append(bytes[index])
        index += 1
        position += 1
      }
      guard field.count == wantedCount else { return .needMore }
      let step = try parse(PCMHeaderField(bytes: field))
      field.removeAll(keepingCapacity: true)
      switch step {
      case .read(let offset, let count):
        wantedOffset = offset
        wantedCount = count
      case .readTrailing(let offset, let count):
        guard canSeek else { return .ready(try end(isBetweenChunks: true)) }
        wantedOffset = offset
        wantedCount = count
        position = offset
        return .seek(to: offset)
      case .ready(let info):
        self.info = info
      }
    }
  }

  /// Marks the end of the file; returns `ready` or throws.
  public mutating func finish() throws(PCMFileError) -> Step {
    if let info { return .ready(info) }
    if case .sniff = parser {
      guard field.isEmpty else {
        let kind = FileKind(prefix: field.span)
        if case .other(let other) = kind { throw .otherFormat(other) }
        throw kind == .unknown ? .notRecognized : .truncatedHeader(offset: position)
      }
      throw .notRecognized
    }
    return .ready(try end(isBetweenChunks: field.isEmpty && position == wantedOffset))
  }

  private mutating func parse(_ field: PCMHeaderField) throws(PCMFileError) -> PCMHeaderStep {
    switch parser {
    case .sniff:
      switch FileKind(prefix: field.bytes.span) {
      case .wav: parser = .wav(WAVHeaderParser(field))
      case .aiff: parser = .aiff(AIFFHeaderParser())
      case .caf: parser = .caf(CAFHeaderParser())
      case .other(let other): throw .otherFormat(other)
      case .unknown: throw .notRecognized
      }
      // The form type of RIFF and FORM; in CAF the first chunk's header follows immediately.
      if case .caf = parser { return .read(at: 8, count: 12) }
      return .read(at: 8, count: 4)
    case .wav(var wav):
      let step = try wav.parse(field)
      parser = .wav(wav)
      return step
    case .aiff(var aiff):
      let step = try aiff.parse(field)
      parser = .aiff(aiff)
      return step
    case .caf(var caf):
      let step = try caf.parse(field)
      parser = .caf(caf)
      return step
    }
  }

  /// Returns the result, or throws the error, when there are no more bytes.
  private mutating func end(isBetweenChunks: Bool) throws(PCMFileError) -> PCMFileInfo {
    let info: PCMFileInfo?
    switch parser {
    case .sniff, .wav: info = nil
    case .aiff(let aiff):
      if let offset = aiff.undescribedDataOffset {
        if canSeek { throw .missingFormat }
        throw .requiresSeeking(offset: offset)
      }
      info = nil
    case .caf(let caf): info = caf.info
    }
    guard let info else {
      if isBetweenChunks { throw .missingData }
      throw .truncatedHeader(offset: position)
    }
    self.info = info
    return info
  }
}

/// The next request of a header parser.
enum PCMHeaderStep {
  /// Bytes at or after the end of the previous ones.
  case read(at: UInt64, count: Int)
  /// Bytes after the samples: only a seekable file can be read there.
  case readTrailing(at: UInt64, count: Int)
  /// No more bytes; the header is complete.
  case ready(PCMFileInfo)
}
