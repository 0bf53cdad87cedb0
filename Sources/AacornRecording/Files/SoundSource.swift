import AacornCodec
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Reads the sample bytes of one input in blocks.
///
/// Our own readers of samples have precedence. AAC goes to our decoder, and other formats to the
/// system's library.
struct SoundSource {
  private enum Reader {
    case tone(ToneGenerator)
    /// Uncompressed samples.
    case stored(InputFile)
    /// AAC.
    case coded(CodedSoundBytes)
    /// Another format; the file is retained to keep it open.
    case library(LibrarySoundFile, InputFile)
  }

  /// The format and number of the samples.
  let info: PCMFileInfo
  /// The number of frames of the input, if known in advance.
  let frameCount: Int?
  /// The name in messages.
  let name: String
  /// The last block read.
  private(set) var block: [UInt8]
  private var reader: Reader
  /// The range of samples in the block that was read with the header.
  private var leftover: Range<Int>?
  /// The file, if it may have tags and is not AAC.
  private var taggedFile: InputFile?
  /// The file whose digest is computed while it is read.
  private var digestedFile: InputFile?
  /// Whether the length in the header has wrapped around at 4 GiB.
  private var hasWrappedLength = false
  /// The check of the samples passed to the encoder; nil if they are valid in any case.
  private var check: SampleCheck?

  private static let blockSize = 65_536

  /// Opens an input and reads its header; an input with a `rawFormat` has no header.
  init(
    _ origin: SoundOrigin, rawFormat: PCMFormat?, digests: Bool = false,
    interruption: Interruption
  ) throws(AACFileError) {
    block = [UInt8](repeating: 0, count: Self.blockSize)
    name = origin.name
    let path: String
    switch origin {
    case .tone(let milliseconds):
      let tone = ToneGenerator(milliseconds: milliseconds)
      reader = .tone(tone)
      let format = PCMFormat(
        sampleFormat: SampleFormat(.int16LittleEndian), sampleRate: ToneGenerator.sampleRate,
        channelCount: ToneGenerator.channelCount)
      info = PCMFileInfo(
        format: format, dataByteCount: UInt64(tone.frameCount * format.bytesPerFrame))
      frameCount = tone.frameCount
      return
    case .standardInput: path = "-"
    case .file(let name): path = name
    }
    let file = try InputFile(path, interruption: interruption)
    if digests {
      file.beginDigest()
      digestedFile = file
    }
    if let rawFormat {
      reader = .stored(file)
      info = PCMFileInfo(format: rawFormat)
      frameCount = info.frameCount(in: file.size)
      check = SampleCheck(info)
      return
    }
    let sound = try DetectedSound(in: file, block: &block)
    info = sound.info(of: file)
    frameCount = sound.frameCount(of: file)
    switch sound {
    case .stored(let stated, let leftover):
      reader = .stored(file)
      hasWrappedLength = info != stated
      self.leftover = leftover
      taggedFile = file
      check = SampleCheck(info)
    case .coded(let sound): reader = .coded(CodedSoundBytes(sound))
    case .library(let sound):
      reader = .library(sound, file)
      taggedFile = file
      check = SampleCheck(info)
    }
  }

  /// The decoded AAC file; nil for another source.
  var codedSound: CodedSound? {
    if case .coded(let bytes) = reader { bytes.sound } else { nil }
  }

  /// Returns the SHA-256 digest of the completely read file; nil unless it was requested.
  func digest() throws(AACFileError) -> [UInt8]? { try digestedFile?.finishDigest() }

  /// Returns the tags of the input; nil if it cannot have any.
  func tags() throws(AACFileError) -> InputTags? {
    if let codedSound { return try codedSound.tags() }
    return try taggedFile?.soundTags().map { InputTags($0, name: name) }
  }

  /// Reads the next block and returns its range in `block`; nil at the end.
  mutating func next() throws(AACFileError) -> Range<Int>? {
    if let leftover {
      self.leftover = nil
      if !leftover.isEmpty { return leftover }
    }
    let count: Int
    switch reader {
    case .tone(var tone):
      count = tone.read(into: &block)
      reader = .tone(tone)
    case .stored(let file): count = try file.read(into: &block)
    case .coded(let bytes): count = try bytes.read(into: &block)
    case .library(let sound, let file):
      let frames = unsafe block.withUnsafeMutableBytes { bytes in unsafe sound.read(into: bytes) }
      if frames == 0, let error = sound.systemError {
        throw AACFileError(.read, file.path, because: error)
      }
      count = frames * sound.bytesPerFrame
    }
    return count > 0 ? 0..<count : nil
  }

  /// The samples, if threads can read parts of them: those of a complete uncompressed file.
  var storedSamples: StoredSamples? {
    if case .stored(let file) = reader { file.storedSamples(info) } else { nil }
  }

  /// Adds the result of checking a part of the samples.
  mutating func add(_ part: SampleCheck?) { if let part { check?.add(part) } }

  /// The warning about a header that states too small a length; nil for other headers.
  var lengthWarning: String? {
    if !hasWrappedLength { return nil }
    return
      "The header of “\(displayed(name))” states only a part of its sound, because lengths over "
      + "4 GB do not fit in it; the file was encoded to its end."
  }

  /// The warning about invalid samples that were passed to the encoder; nil if there are none.
  var sampleWarning: String? { check?.warning(name) }

  /// Returns the warning about a premature end, with `missingByteCount` missing bytes according to
  /// the header; nil if nothing is missing.
  func shortfall(_ missingByteCount: UInt64) -> String? {
    let quotedPath = "“\(displayed(name))”"
    if case .library(let sound, _) = reader {
      switch sound.shortfall {
      case .announced(let seconds):
        let duration = QuantityText.duration(seconds)
        return "\(quotedPath) is damaged or cut off: \(duration) of its audio cannot be read; the "
          + "readable part was encoded."
      case .unread(let seconds):
        let duration = QuantityText.duration(seconds)
        return "\(quotedPath) is damaged or changes its rate or channels: \(duration) of its audio "
          + "could not be read; the audio before was encoded."
      case nil: return nil
      }
    }
    return info.shortfall(missingByteCount, wasUsed: "encoded").map { "\(quotedPath) \($0)." }
  }

  /// Returns whether the completely read input was damaged, readable only in part, or too short.
  ///
  /// `missingByteCount` bytes are missing according to the header. The header in a pipe may state
  /// too large a length, because its writer did not know the final length.
  func isDamaged(_ missingByteCount: UInt64) -> Bool {
    switch reader {
    case .tone: false
    case .stored(let file): file.isSeekable && shortfall(missingByteCount) != nil
    case .coded(let bytes): bytes.sound.isDamaged
    case .library(let sound, _): sound.shortfall != nil
    }
  }

  /// Passes a part of the block to the encoder, and checks its samples.
  mutating func pass(_ range: Range<Int>, to feed: inout SoundFeed) {
    // Use a local array, because `check` cannot change while a span of a property exists.
    let bytes = block
    check?.count(bytes.span.extracting(range))
    feed.push(bytes.span.extracting(range))
  }

  /// Processes a part of the block.
  func pass(_ range: Range<Int>, to processor: inout SoundProcessor) {
    processor.push(block.span.extracting(range))
  }
}

/// The audio of an AAC file as bytes of its samples: 32-bit floating-point numbers.
private final class CodedSoundBytes {
  private(set) var sound: CodedSound
  /// Bytes of samples; the bytes from `first` on are unread.
  private var waiting: [UInt8] = []
  private var first = 0

  init(_ sound: CodedSound) { self.sound = sound }

  /// Fills the beginning of `block` and returns the number of bytes; 0 at the end.
  func read(into block: inout [UInt8]) throws(AACFileError) -> Int {
    if first == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      first = 0
      guard try sound.next() else { return 0 }
      PCMEncoding.float32.append(sound.samples.span, to: &waiting)
    }
    let count = min(waiting.count - first, block.count)
    block.replaceSubrange(..<count, with: waiting[first..<first + count])
    first += count
    return count
  }
}
