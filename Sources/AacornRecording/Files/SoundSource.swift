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
  /// The name in messages.
  let name: String
  /// The last block read.
  private(set) var block: [UInt8]
  private var reader: Reader
  /// The range of samples in the block that was read with the header.
  private var leftover: Range<Int>?
  /// The file, if it may have tags and is not AAC.
  private var taggedFile: InputFile?
  /// Whether the length in the header has wrapped around at 4 GiB.
  private var hasWrappedLength = false

  private static let blockSize = 65_536

  /// Opens an input and reads its header; an input with a `rawFormat` has no header.
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
    switch try DetectedSound(in: file, block: &block) {
    case .stored(let info, let leftover):
      reader = .stored(file)
      self.info = info.unwrapped(in: file.size)
      hasWrappedLength = self.info != info
      self.leftover = leftover
      taggedFile = file
    case .coded(let head):
      let sound = try CodedSound(
        file, head: head, name: name, options: AACFile.DecodingOptions(), for: .encoding)
      reader = .coded(CodedSoundBytes(sound))
      let format = sound.output
      info = .decoded(format.sampleRate, format.channelCount, format.layout)
    case .library(let sound):
      reader = .library(sound, file)
      taggedFile = file
      info = .decoded(sound.sampleRate, sound.channelCount, sound.layout)
    }
  }

  /// The decoded AAC file; nil for another source.
  var codedSound: CodedSound? {
    if case .coded(let bytes) = reader { bytes.sound } else { nil }
  }

  /// Returns the tags of the input; nil if it cannot have any.
  func tags() throws(AACFileError) -> InputTags? {
    if let codedSound { return try codedSound.tags() }
    return try taggedFile?.soundTags().map { InputTags($0, name: name) }
  }

  /// The number of frames of the input, if known in advance.
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
      if frames == 0, let error = sound.systemError { throw AACFileError(.read, file.path, error) }
      count = frames * sound.bytesPerFrame
    }
    return count > 0 ? 0..<count : nil
  }

  /// The warning about a header that states too small a length; nil for other headers.
  var lengthWarning: String? {
    if !hasWrappedLength { return nil }
    return
      "The header of “\(displayed(name))” states only a part of its sound, because lengths over "
      + "4 GB do not fit in it; the file was encoded to its end."
  }

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
    if !info.isMissingAudio(missingByteCount) { return nil }
    let size = QuantityText.size(Int(clamping: missingByteCount))
    return "\(quotedPath) is \(size) shorter than its header specifies; the available audio was "
      + "encoded."
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

  /// Passes a part of the block to the encoder.
  func pass(_ range: Range<Int>, to feed: inout SoundFeed) {
    feed.push(block.span.extracting(range))
  }

  /// Converts a part of the block.
  func pass(
    _ range: Range<Int>, to conversion: inout AudioConversion, integers: inout [Int16],
    samples: inout [Float]
  ) {
    conversion.push(block.span.extracting(range), integers: &integers, samples: &samples)
  }

  /// Appends the frames that a part of the block completes.
  func pass(_ range: Range<Int>, to frames: inout PCMFrameReader, into samples: inout [Float]) {
    frames.read(block.span.extracting(range), into: &samples)
  }
}

extension PCMFileInfo {
  /// Returns the description of decoded samples as bytes of floating-point numbers.
  fileprivate static func decoded(
    _ sampleRate: Int, _ channelCount: Int, _ layout: ChannelLayout?
  ) -> PCMFileInfo {
    PCMFileInfo(
      format: PCMFormat(
        sampleFormat: SampleFormat(.float32LittleEndian), sampleRate: sampleRate,
        channelCount: channelCount, layout: layout))
  }

  /// Returns whether audio is missing in a file that is this number of bytes shorter than its
  /// header specifies.
  ///
  /// Some writers count a padding byte after an odd number of bytes, but do not write it.
  func isMissingAudio(_ missingByteCount: UInt64) -> Bool {
    if missingByteCount != 1 { return missingByteCount > 0 }
    let isPadding = format.bytesPerFrame == 1 && dataByteCount.map { $0 % 2 == 0 } == true
    return !isPadding
  }

  /// Returns the description with the real length of the samples in a file of `byteCount` bytes.
  ///
  /// A length of 32 bits has wrapped if the file has 4 GiB or more after the stated end.
  func unwrapped(in byteCount: Int?) -> PCMFileInfo {
    guard let stated = dataByteCount, stated <= UInt32.max,
      let rest = byteCount.map({ UInt64(max(0, $0)) }), rest >= dataOffset
    else { return self }
    let available = rest - dataOffset
    guard available >= stated, available - stated >= 1 << 32 else { return self }
    var length = stated + ((available - stated) >> 32) << 32
    // The stated length may have been rounded down to whole frames.
    let frameSize = UInt64(max(1, format.bytesPerFrame))
    let excess = length % frameSize
    if excess > 0 { length = min(length + frameSize - excess, available - available % frameSize) }
    return PCMFileInfo(format: format, dataOffset: dataOffset, dataByteCount: length)
  }
}
