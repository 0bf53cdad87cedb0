import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Reads the sample bytes of one input in blocks.
struct SoundSource {
  private enum Reader {
    case file(InputFile)
    case tone(ToneGenerator)
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
    reader = .file(file)
    if let rawFormat {
      info = PCMFileInfo(format: rawFormat)
    } else {
      (info, leftover) = try Self.readHeader(of: file, block: &block)
    }
  }

  /// The frames of the input as far as known beforehand.
  var frameCount: Int? {
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
    }
    return count > 0 ? 0..<count : nil
  }

  /// Passes part of the block on.
  func pass(_ range: Range<Int>, to feed: inout SoundFeed) {
    feed.push(block.span.extracting(range))
  }

  /// Finds the samples; also returns which of them are in `block` already.
  private static func readHeader(
    of file: InputFile, block: inout [UInt8]
  ) throws(AACFileError) -> (PCMFileInfo, Range<Int>?) {
    var reader = PCMFileReader(canSeek: file.isSeekable)
    var head: [UInt8] = []
    do {
      while true {
        let count = try file.read(into: &block)
        if head.isEmpty { head = Array(block[..<min(count, PCMFileKind.longPrefixCount)]) }
        if count == 0 && file.position == 0 { throw AACFileError.empty(file.path) }
        let step =
          count == 0 ? try reader.finish() : try reader.push(block.span.extracting(..<count))
        switch step {
        case .needMore: continue
        case .seek(let position): try file.seek(to: Int(clamping: position))
        case .ready(let info):
          let leftover = try skip(to: info.dataOffset, in: file, lastCount: count, block: &block)
          return (info, leftover)
        }
      }
    } catch let error as PCMFileError {
      throw AACFileError(try named(error, file, head), path: file.path)
    } catch let error as AACFileError {
      throw error
    } catch {
      throw AACFileError(.badInput, "“\(displayed(file.path))” cannot be read.")
    }
  }

  /// The error with the name of the format, if the first bytes tell it.
  private static func named(
    _ error: PCMFileError, _ file: InputFile, _ head: [UInt8]
  ) throws(AACFileError) -> PCMFileError {
    switch error {
    case .notRecognized, .otherFormat:
      if case .other(let format) = try file.kind(startingWith: head) {
        return .otherFormat(format)
      }
      return error
    default:
      return error
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
