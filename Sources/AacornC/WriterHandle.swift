import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import CAacorn

/// A writer of files and streams of the C API.
final class WriterHandle: Handle {
  private let encoder: EncoderHandle
  private var writer: CodedFileWriter
  private var output: WriterOutput
  private var unit = AccessUnit()
  /// The collected bytes that are written next.
  private var bytes: [UInt8] = []
  /// The file offset of `bytes`.
  private var offset: UInt64 = 0
  private var isComplete = false
  /// Whether the program's write function may be running.
  ///
  /// The write function must not use the writer that calls it.
  private var isWriting = false
  /// The failure that ended writing permanently.
  private var failure: CallError?
  /// The last output, which the program may read until the next call.
  private let borrowed = ByteBuffer()

  /// The number of bytes to collect for one call of the write function.
  private static let pieceLength = 1 << 16

  private init(_ writer: CodedFileWriter, _ output: WriterOutput, of encoder: EncoderHandle) {
    self.writer = writer
    self.output = output
    self.encoder = encoder
  }

  static func create(
    _ settings: aacorn_writer_settings, of encoder: EncoderHandle
  ) throws(CallError) -> WriterHandle {
    let configuration = try unsafe configuration(settings, encoder)
    let writer: CodedFileWriter
    do throws(ContainerError) {
      writer = try CodedFileWriter(configuration)
    } catch {
      throw CallError(error)
    }
    guard encoder.takeWriter() else {
      throw CallError(
        Status.moment,
        "The encoder already has a writer or samples: create its writer before pushing samples.")
    }
    return unsafe WriterHandle(writer, WriterOutput(settings), of: encoder)
  }

  /// Writes all available units, and completes the file if the encoder was finished.
  func write() -> Int32 {
    if isWriting { return fail(Self.callFromWithin) }
    if let failure { return fail(failure) }
    if isComplete { return Status.ok }
    isWriting = true
    defer { isWriting = false }
    do throws(CallError) {
      // Read `trim` first: the write function may finish the encoder, which adds more units.
      let trim = encoder.trim
      try takeUnits()
      if let trim { try complete(trim) }
    } catch {
      failure = error
      return fail(error)
    }
    return Status.ok
  }

  private func takeUnits() throws(CallError) {
    while encoder.next(into: &unit) {
      do throws(ContainerError) {
        try writer.append(unit, to: &bytes)
      } catch {
        throw CallError(error)
      }
      if bytes.count >= Self.pieceLength { try put() }
    }
    try put()
  }

  private func complete(_ trim: StreamTrim) throws(CallError) {
    let finish: MP4Writer.Finish?
    do throws(ContainerError) {
      finish = try writer.finish(trim, mayMove: false, to: &bytes)
    } catch {
      throw CallError(error)
    }
    try put()
    if var writes = finish {
      while let write = writes.next() { try output.put(write.bytes, at: write.offset) }
    }
    isComplete = true
  }

  private func put() throws(CallError) {
    try output.put(bytes, at: offset)
    offset += UInt64(bytes.count)
    bytes.removeAll(keepingCapacity: true)
  }

  private static var callFromWithin: CallError {
    CallError(
      Status.moment, "The function write called its own writer: let the function return first.")
  }

  /// Lends the bytes written up to now.
  func lend(
    _ start: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: UnsafeMutablePointer<Int>?
  ) -> Int32 {
    guard let start = unsafe start else { return fail(.null("bytes")) }
    guard let count = unsafe count else { return fail(.null("byte_count")) }
    if isWriting { return fail(Self.callFromWithin) }
    guard output.isMemory else {
      return fail(Status.moment, "The bytes were passed to the function write, and not kept.")
    }
    borrowed.replace(with: output.bytes)
    unsafe start.pointee = borrowed.pointer(to: UInt8.self)
    unsafe count.pointee = output.bytes.count
    return Status.ok
  }
}

extension WriterHandle {
  /// Returns the configuration that corresponds to settings of the C API.
  private static func configuration(
    _ settings: aacorn_writer_settings, _ encoder: EncoderHandle
  ) throws(CallError) -> CodedFileWriter.Configuration {
    let (number, flags) = unsafe (Int(settings.format), Int(settings.flags))
    if flags & ~(AACORN_WRITER_STREAM | AACORN_WRITER_CHECKSUMS) != 0 {
      throw CallError(Status.argument, "The writer flags \(flags) contain an unknown flag.")
    }
    let hasChecksum = flags & AACORN_WRITER_CHECKSUMS != 0
    if hasChecksum, number != AACORN_FORMAT_ADTS {
      throw CallError(
        Status.combination, "Only ADTS has checksums: remove the flag, or choose ADTS.")
    }
    let format: CodedFileWriter.Format
    switch number {
    case AACORN_FORMAT_M4A: format = .m4a
    case AACORN_FORMAT_ADTS:
      format = .adts(isMPEG2: encoder.configuration.isMPEG2, hasChecksum: hasChecksum)
    case AACORN_FORMAT_LATM: format = .latm
    default: throw CallError(Status.argument, "The format \(number) is unknown.")
    }
    let timing = encoder.timing
    var configuration = CodedFileWriter.Configuration(
      format, stream: encoder.audioSpecificConfig)
    configuration.timing = timing
    configuration.isSeekable = flags & AACORN_WRITER_STREAM == 0
    let frameCount = unsafe settings.expected_frames
    if frameCount < 0 {
      throw CallError(Status.argument, "The member expected_frames is negative: \(frameCount).")
    }
    if frameCount > 0 {
      configuration.expectedUnitCount = CodedFileWriter.expectedUnitCount(
        frameCount: frameCount, from: timing.sampleRate, to: timing)
    }
    configuration.tags = try unsafe tags(settings, for: format)
    return configuration
  }

  private static func tags(
    _ settings: aacorn_writer_settings, for format: CodedFileWriter.Format
  ) throws(CallError) -> MP4Tags {
    var tags = MP4Tags()
    tags.title = unsafe text(settings.title)
    tags.artist = unsafe text(settings.artist)
    tags.album = unsafe text(settings.album)
    tags.date = unsafe text(settings.date)
    tags.comment = unsafe text(settings.comment)
    let texts = [tags.title, tags.artist, tags.album, tags.date, tags.comment]
    if format != .m4a, texts.contains(where: { $0 != nil }) {
      throw CallError(Status.combination, "Only M4A files have tags: remove them, or choose M4A.")
    }
    tags.encoder = AacornVersion.encoderTag
    return tags
  }

  private static func text(_ start: UnsafePointer<CChar>?) -> String? {
    guard let start = unsafe start else { return nil }
    return unsafe String(cString: start)
  }
}

/// The destination of a file's bytes: a function of the program, or memory.
@safe
struct WriterOutput {
  private let settings: aacorn_writer_settings
  let isMemory: Bool
  /// All bytes if they are stored in memory, otherwise empty.
  private(set) var bytes: [UInt8] = []

  init(_ settings: aacorn_writer_settings) {
    unsafe self.settings = settings
    isMemory = unsafe settings.write == nil
  }

  mutating func put(_ new: [UInt8], at offset: UInt64) throws(CallError) {
    if new.isEmpty { return }
    if isMemory {
      store(new, at: Int(offset))
      return
    }
    let settings = unsafe self.settings
    let result = unsafe new.withUnsafeBufferPointer {
      unsafe settings.write?(settings.context, offset, $0.baseAddress, $0.count)
    }
    if result != 0 {
      throw CallError(
        Status.write,
        "The function write failed and returned \(result ?? 0).")
    }
  }

  private mutating func store(_ new: [UInt8], at offset: Int) {
    let end = offset + new.count
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(offset..<end, with: new)
  }
}
