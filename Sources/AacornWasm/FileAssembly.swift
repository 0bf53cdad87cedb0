import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles

/// Assembles a file from units, which JavaScript fetches piece by piece.
struct FileAssembly {
  private var configuration: CodedFileWriter.Configuration
  private var writer: CodedFileWriter?
  private var bytes: [UInt8] = []
  private var fetchedByteCount: UInt64 = 0
  private var end: MP4Writer.Finish?
  private var isFinished = false
  /// The file offset of the last fetched bytes.
  private(set) var offset = 0.0
  /// The reason why the file cannot be written.
  private(set) var failure: Int32?

  /// The number of bytes to collect before they are handed over.
  private static let pieceLength = 1 << 16

  init(_ configuration: CodedFileWriter.Configuration) {
    self.configuration = configuration
  }

  /// Whether to append more units before the next piece is fetched.
  var needsUnits: Bool { bytes.count < Self.pieceLength && failure == nil && !isFinished }

  /// Sets a tag; fails after the first byte of the file.
  mutating func setTag(_ kind: Int32, _ text: [UInt8]) -> Int32 {
    guard writer == nil else { return Failure.wrongState }
    let text = String(decoding: text, as: UTF8.self)
    switch kind {
    case 0: configuration.tags.title = text
    case 1: configuration.tags.artist = text
    case 2: configuration.tags.album = text
    case 3: configuration.tags.date = text
    case 4: configuration.tags.comment = text
    default: return Failure.mode
    }
    return 0
  }

  /// Adds tags of another file where no tag is set; fails after the first byte of this file.
  mutating func addItems(_ items: [UInt8]) -> Int32 {
    guard writer == nil else { return Failure.wrongState }
    configuration.tags.fill(fromItems: items)
    return 0
  }

  /// Adds a unit; returns a failure, or nil.
  mutating func append(_ unit: AccessUnit) -> Int32? {
    if let failure { return failure }
    do throws(ContainerError) {
      try begin()
      try writer?.append(unit, to: &bytes)
    } catch {
      failure = Failure.of(error)
    }
    return failure
  }

  /// Completes the file after the last unit; returns false on a failure.
  mutating func finish(_ trim: StreamTrim) -> Bool {
    // While a full piece waits to be fetched, the encoder may still have units for the file.
    if isFinished || bytes.count >= Self.pieceLength { return failure == nil }
    isFinished = true
    if failure != nil { return false }
    do throws(ContainerError) {
      try begin()
      end = try writer?.finish(trim, mayMove: false, to: &bytes)
    } catch {
      failure = Failure.of(error)
    }
    return failure == nil
  }

  /// Returns the next piece of the file, or nil if more units are needed.
  mutating func nextPiece() -> [UInt8]? {
    if !bytes.isEmpty {
      offset = Double(fetchedByteCount)
      fetchedByteCount += UInt64(bytes.count)
      defer { bytes = [] }
      return bytes
    }
    while let write = end?.next() {
      if write.bytes.isEmpty { continue }
      offset = Double(write.offset)
      return write.bytes
    }
    return nil
  }

  private mutating func begin() throws(ContainerError) {
    if writer == nil { writer = try CodedFileWriter(configuration) }
  }
}
