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
  /// The file with AAC that the sound comes from; nil if it comes from elsewhere.
  private(set) var codedSound: CodedSound?
  /// Samples of AAC as the bytes of numbers, which `block` has no room for yet.
  private var waiting: [UInt8] = []
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
      return
    }
    switch try Self.readHeader(of: file, block: &block) {
    case .samples(let found, let rest):
      (info, leftover) = (found, rest)
    case .coded(let head):
      let sound = try CodedSound(file, head: head, name: name, options: DecodeOptions())
      info = PCMFileInfo(format: PCMFormat(sound.output))
      codedSound = sound
    }
  }

  /// The frames of the input as far as known beforehand.
  var frameCount: Int? {
    if let codedSound { return codedSound.frameCount }
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
    if codedSound != nil { return try nextCoded() }
    let count: Int
    switch reader {
    case .file(let file): count = try file.read(into: &block)
    case .tone(var tone):
      count = tone.read(into: &block)
      reader = .tone(tone)
    }
    return count > 0 ? 0..<count : nil
  }

  /// Fills `block` with samples of AAC as the bytes of numbers, and returns their range.
  private mutating func nextCoded() throws(AACFileError) -> Range<Int>? {
    if waiting.isEmpty, try codedSound?.next() ?? false {
      let samples = codedSound?.samples ?? []
      PCMEncoding.float32.append(samples.span, to: &waiting)
    }
    let count = min(waiting.count, block.count)
    block.replaceSubrange(..<count, with: waiting[..<count])
    if count == waiting.count {
      waiting.removeAll(keepingCapacity: true)
    } else {
      waiting.removeFirst(count)
    }
    return count > 0 ? 0..<count : nil
  }

  /// Passes part of the block on.
  func pass(_ range: Range<Int>, to feed: inout SoundFeed) {
    feed.push(block.span.extracting(range))
  }

  /// Appends the frames that part of the block completes.
  func pass(_ range: Range<Int>, to frames: inout PCMFrameReader, into samples: inout [Float]) {
    frames.read(block.span.extracting(range), into: &samples)
  }

  /// What a header says.
  private enum Header {
    /// Samples, and which of them are in the block already.
    case samples(PCMFileInfo, Range<Int>?)
    /// AAC; the bytes are all that has been read.
    case coded(head: [UInt8])
  }

  /// Finds the samples.
  private static func readHeader(
    of file: InputFile, block: inout [UInt8]
  ) throws(AACFileError) -> Header {
    var reader = PCMFileReader(canSeek: file.isSeekable)
    var head: [UInt8] = []
    do {
      while true {
        let count = try file.read(into: &block)
        // AAC shows in the first bytes; what follows them is not kept.
        if head.count < PCMFileKind.longPrefixCount { head += block[..<count] }
        if count == 0 && file.position == 0 { throw AACFileError.empty(file.path) }
        let step =
          count == 0 ? try reader.finish() : try reader.push(block.span.extracting(..<count))
        switch step {
        case .needMore: continue
        case .seek(let position): try file.seek(to: Int(clamping: position))
        case .ready(let info):
          let leftover = try skip(to: info.dataOffset, in: file, lastCount: count, block: &block)
          return .samples(info, leftover)
        }
      }
    } catch let error as PCMFileError {
      if try holdsAAC(error, file, head) { return .coded(head: head) }
      throw AACFileError(try named(error, file, head), path: file.path)
    } catch let error as AACFileError {
      throw error
    } catch {
      throw AACFileError(.badInput, "“\(displayed(file.path))” cannot be read.")
    }
  }

  /// Whether a file that is none of samples is one with AAC.
  private static func holdsAAC(
    _ error: PCMFileError, _ file: InputFile, _ head: [UInt8]
  ) throws(AACFileError) -> Bool {
    switch error {
    case .notRecognized, .otherFormat:
      if case .other(let format) = try file.kind(startingWith: head) { return format.isDecoded }
      return false
    default:
      return false
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

extension PCMFormat {
  /// The format of decoded samples as the bytes of numbers.
  fileprivate init(_ format: SoundConformer.Format) {
    self.init(
      sampleFormat: SampleFormat(.float32LittleEndian), sampleRate: format.sampleRate,
      channelCount: format.channelCount, layout: format.layout)
  }
}
