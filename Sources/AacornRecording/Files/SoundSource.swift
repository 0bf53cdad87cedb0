import AacornCodec
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Reads the sample bytes of one input in blocks.
///
/// What our own readers of samples know they read; of the rest our decoder gets what is AAC, and the
/// system's library what it knows.
struct SoundSource {
  private enum Reader {
    case tone(ToneGenerator)
    /// Samples as they lie in the file.
    case stored(InputFile)
    /// AAC.
    case coded(CodedSoundBytes)
    /// Sound of another kind; the file is there to stay open.
    case library(LibrarySoundFile, InputFile)
  }

  /// The format and number of the samples.
  let info: PCMFileInfo
  /// The name in messages.
  let name: String
  /// The last block read.
  private(set) var block: [UInt8]
  private var reader: Reader
  /// The samples in the header's last block.
  private var leftover: Range<Int>?
  /// The file, if it may have tags and is not AAC.
  private var taggedFile: InputFile?

  private static let blockSize = 65_536

  /// Opens an input and reads its header; one with a `rawFormat` has none.
  init(
    _ origin: SoundOrigin, rawFormat: PCMFormat?, interruption: Interruption
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
      return
    case .standardInput: path = "-"
    case .file(let name): path = name
    }
    let file = try InputFile(path, interruption: interruption)
    if let rawFormat {
      reader = .stored(file)
      info = PCMFileInfo(format: rawFormat)
      return
    }
    switch try SoundFinding(in: file, block: &block) {
    case .stored(let info, let leftover):
      reader = .stored(file)
      self.info = info
      self.leftover = leftover
      taggedFile = file
    case .coded(let head):
      let sound = try CodedSound(
        file, head: head, name: name, options: DecodeOptions(), for: .encoding)
      reader = .coded(CodedSoundBytes(sound))
      let format = sound.output
      info = .decoded(format.sampleRate, format.channelCount, format.layout)
    case .library(let sound):
      reader = .library(sound, file)
      taggedFile = file
      info = .decoded(sound.sampleRate, sound.channelCount, sound.layout)
    }
  }

  /// The file with AAC that the sound comes from; nil if it comes from elsewhere.
  var codedSound: CodedSound? {
    if case .coded(let bytes) = reader { bytes.sound } else { nil }
  }

  /// The tags of the input; nil if it cannot have any.
  func tags() throws(AACFileError) -> InputTags? {
    if let codedSound { return try codedSound.tags() }
    return try taggedFile?.soundTags().map { InputTags($0, name: name) }
  }

  /// The frames of the input as far as known beforehand.
  var frameCount: Int? {
    var byteCount = info.dataByteCount
    switch reader {
    case .coded(let bytes): return bytes.sound.frameCount
    case .library(let sound, _): return sound.frameCount
    case .tone: break
    case .stored(let file):
      guard let size = file.size else { break }
      let rest = UInt64(max(0, size)) - min(UInt64(max(0, size)), info.dataOffset)
      byteCount = min(byteCount ?? rest, rest)
    }
    return byteCount.map { Int(clamping: $0) / info.format.bytesPerFrame }
  }

  /// Reads the next block and returns its range in `block`; nil means the end.
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
      if frames == 0, let error = sound.systemError { throw AACFileError(.read, file.path, error) }
      count = frames * sound.bytesPerFrame
    }
    return count > 0 ? 0..<count : nil
  }

  /// What the end says that comes too early, of which `missingByteCount` bytes are known to be
  /// missing; nil if it does not.
  func shortfall(_ missingByteCount: UInt64) -> String? {
    let file = "“\(displayed(name))”"
    if case .library(let sound, _) = reader {
      switch sound.shortfall {
      case .announced(let seconds):
        let duration = QuantityText.duration(seconds)
        return "\(file) is damaged or cut off: \(duration) of what its header announces cannot be "
          + "read; what is present was encoded."
      case .unread(let seconds):
        let duration = QuantityText.duration(seconds)
        return "\(file) is damaged or changes its rate or channels: \(duration) of it could not be "
          + "read; what comes before was encoded."
      case nil: return nil
      }
    }
    if !info.lacksSound(missingByteCount) { return nil }
    let size = QuantityText.size(Int(clamping: missingByteCount))
    return "\(file) ends \(size) before the end that its header announces; what is present was "
      + "encoded."
  }

  /// Whether the input, at the end of which it is, was damaged, could be read only in part, or ends
  /// before the end that its header announces, of which `missingByteCount` bytes are missing.
  ///
  /// Whoever writes a header into a pipe may not know how much will follow, and announces too much.
  func isDamaged(_ missingByteCount: UInt64) -> Bool {
    switch reader {
    case .tone: false
    case .stored(let file): file.isSeekable && shortfall(missingByteCount) != nil
    case .coded(let bytes): bytes.sound.isDamaged
    case .library(let sound, _): sound.shortfall != nil
    }
  }

  /// Passes part of the block on.
  func pass(_ range: Range<Int>, to feed: inout SoundFeed) {
    feed.push(block.span.extracting(range))
  }

  /// Converts part of the block.
  func pass(
    _ range: Range<Int>, to conversion: inout SoundConversion, integers: inout [Int16],
    samples: inout [Float]
  ) {
    conversion.push(block.span.extracting(range), integers: &integers, samples: &samples)
  }

  /// Appends the frames that part of the block completes.
  func pass(_ range: Range<Int>, to frames: inout PCMFrameReader, into samples: inout [Float]) {
    frames.read(block.span.extracting(range), into: &samples)
  }
}

extension PCMFileInfo {
  /// Decoded samples as the bytes of numbers.
  fileprivate static func decoded(
    _ sampleRate: Int, _ channelCount: Int, _ layout: ChannelLayout?
  ) -> PCMFileInfo {
    PCMFileInfo(
      format: PCMFormat(
        sampleFormat: SampleFormat(.float32LittleEndian), sampleRate: sampleRate,
        channelCount: channelCount, layout: layout))
  }
}
