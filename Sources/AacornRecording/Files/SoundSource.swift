import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Reads the sample bytes of one input in blocks.
struct SoundSource {
  private enum Reader {
    case file(InputFile)
    case tone(ToneGenerator)
    /// The file is there to stay open.
    case library(LibrarySoundFile, InputFile)
  }

  /// What the beginning of a file leads to.
  private enum Finding {
    /// Samples in a known format, and which of them are in the block already.
    case samples(PCMFileInfo, Range<Int>?)
    /// A file that the system's library decodes.
    case sound(LibrarySoundFile)
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
      reader = .file(file)
      info = PCMFileInfo(format: rawFormat)
      return
    }
    switch try Self.readHeader(of: file, block: &block) {
    case .samples(let info, let leftover):
      reader = .file(file)
      self.info = info
      self.leftover = leftover
    case .sound(let sound):
      reader = .library(sound, file)
      info = PCMFileInfo(
        format: PCMFormat(
          sampleFormat: SampleFormat(.float32LittleEndian), sampleRate: sound.sampleRate,
          channelCount: sound.channelCount, layout: sound.layout))
    }
  }

  /// The frames of the input as far as known beforehand.
  var frameCount: Int? {
    if case .library(let sound, _) = reader { return sound.frameCount }
    var byteCount = info.dataByteCount
    if case .file(let file) = reader, let size = file.size {
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
    case .file(let file): count = try file.read(into: &block)
    case .tone(var tone):
      count = tone.read(into: &block)
      reader = .tone(tone)
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
      guard let count = sound.frameCount, sound.position < count else { return nil }
      let seconds = Double(count - sound.position) / Double(sound.sampleRate)
      return "\(file) is damaged or cut off: \(QuantityText.duration(seconds)) of what its header "
        + "announces cannot be read; what is present was encoded."
    }
    if missingByteCount == 0 { return nil }
    let size = QuantityText.size(Int(clamping: missingByteCount))
    return "\(file) ends \(size) before the end that its header announces; what is present was "
      + "encoded."
  }

  /// Passes part of the block on.
  func pass(_ range: Range<Int>, to feed: inout SoundFeed) {
    feed.push(block.span.extracting(range))
  }

  /// Finds the samples, in the file itself or through the system's library.
  private static func readHeader(
    of file: InputFile, block: inout [UInt8]
  ) throws(AACFileError) -> Finding {
    var reader = PCMFileReader(canSeek: file.isSeekable)
    var head: [UInt8] = []
    while true {
      let count = try file.read(into: &block)
      if head.isEmpty { head = Array(block[..<min(count, PCMFileKind.longPrefixCount)]) }
      if count == 0 && file.position == 0 { throw .empty(file.path) }
      let step: PCMFileReader.Step
      do throws(PCMFileError) {
        step = count == 0 ? try reader.finish() : try reader.push(block.span.extracting(..<count))
      } catch {
        return .sound(try file.librarySound(after: error, startingWith: head))
      }
      switch step {
      case .needMore: continue
      case .seek(let position): try file.seek(to: Int(clamping: position))
      case .ready(let info):
        return .samples(
          info, try skip(to: info.dataOffset, in: file, lastCount: count, block: &block))
      }
    }
  }

  /// Moves to the first sample.
  private static func skip(
    to dataOffset: UInt64, in file: InputFile, lastCount: Int, block: inout [UInt8]
  ) throws(AACFileError) -> Range<Int>? {
    if file.isSeekable {
      try file.seek(to: Int(clamping: dataOffset))
      return nil
    }
    let target = Int(clamping: dataOffset)
    var count = lastCount
    while target > file.position {
      count = try file.read(into: &block)
      if count == 0 { return 0..<0 }
    }
    return max(0, count - (file.position - target))..<count
  }
}
