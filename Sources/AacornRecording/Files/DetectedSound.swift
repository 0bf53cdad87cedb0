import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// An open sound file of a detected kind, with its reader.
enum DetectedSound {
  /// Samples in the format that the header specifies, and the range of samples that the block
  /// already contains.
  case stored(PCMFileInfo, Range<Int>?)
  /// AAC.
  case coded(CodedSound)
  /// A file that the system's library decodes.
  case library(LibrarySoundFile)

  /// Detects the kind of a file, which is read into `block`.
  ///
  /// Our own reader of samples has precedence, then our decoder, then the system's library. MPEG
  /// audio in an `endless` pipe is decoded as it arrives. If `usesLibrary` is false, the file is
  /// not passed to the library.
  init(
    in file: InputFile, block: inout [UInt8], endless: Bool = false, usesLibrary: Bool = true
  ) throws(AACFileError) {
    var reader = PCMFileReader(canSeek: file.isSeekable)
    var head: [UInt8] = []
    while true {
      let count = try file.read(into: &block)
      // Other formats are detected from the first bytes, so later bytes are not kept.
      if head.count < FileKind.longPrefixCount { head += block[..<count] }
      if count == 0 && file.position == 0 { throw .empty(file.path) }
      let step: PCMFileReader.Step
      do throws(PCMFileError) {
        step = count == 0 ? try reader.finish() : try reader.push(block.span.extracting(..<count))
      } catch {
        try Self.readMore(in: file, block: &block, head: &head)
        if try Self.hasAAC(error, file, block: &block, head: &head, endless: endless) {
          self = .coded(
            try CodedSound(
              file, head: head, name: file.path, options: AACFile.DecodingOptions(),
              for: .encoding))
        } else {
          self = .library(
            try Self.library(after: error, file, head, endless: endless, isUsed: usesLibrary))
        }
        return
      }
      switch step {
      case .needMore: continue
      case .seek(let position): try file.seek(to: Int(clamping: position))
      case .ready(let info):
        let leftover = try Self.skip(
          to: info.dataOffset, in: file, lastCount: count, block: &block)
        self = .stored(info, leftover)
        return
      }
    }
  }

  /// The maximum size in bytes of the tags in a pipe, which are read to find the audio after them.
  private static let tagLimit = 1 << 20

  /// Reads a pipe until its kind is detected: it may have delivered only a few bytes, or only a
  /// tag.
  private static func readMore(
    in file: InputFile, block: inout [UInt8], head: inout [UInt8]
  ) throws(AACFileError) {
    if file.isSeekable { return }
    while true {
      var enough = FileKind.longPrefixCount
      switch FileKind(prefix: head.span) {
      // Read more: only a second frame proves MPEG audio.
      case .unknown, .other(.mp3): break
      case .other(.taggedWithID3):
        enough += min(StreamTag.totalByteCount(head.span), Self.tagLimit)
      default: return
      }
      if head.count >= enough { return }
      let count = try file.read(into: &block)
      if count == 0 { return }
      head += block[..<count]
    }
  }

  /// Returns whether a file that our own reader of samples rejects contains AAC.
  private static func hasAAC(
    _ error: PCMFileError, _ file: InputFile, block: inout [UInt8], head: inout [UInt8],
    endless: Bool
  ) throws(AACFileError) -> Bool {
    if !error.isUnknownKind { return false }
    let kind = try file.kind(startingWith: head)
    if kind.isDecoded { return true }
    guard kind == .unknown || kind == .other(.taggedWithID3) || endless && kind == .other(.mp3)
    else { return false }
    return try hasFrames(file, block: &block, head: &head, endless: endless)
  }

  /// Opens a file that our own readers reject with the system's library.
  private static func library(
    after error: PCMFileError, _ file: InputFile, _ head: [UInt8], endless: Bool, isUsed: Bool
  ) throws(AACFileError) -> LibrarySoundFile {
    #if os(Linux)
    if isUsed, error.isUnknownKind, endless, !file.isSeekable, MPEGAudioStream.isPresent(in: head) {
      let stream = MPEGAudioStream(file, head: head)
      do throws(SoundLibraryError) {
        return try LibrarySoundFile(stream)
      } catch {
        if let failure = stream.failure { throw failure }
        if case .refused = error { throw .withoutDecodableFrames(file.path) }
        throw AACFileError(error, .mp3, path: file.path)
      }
    }
    #endif
    return try file.librarySound(after: error, startingWith: head, isUsed: isUsed)
  }

  /// Returns whether AAC frames follow the first bytes of a file; bytes read from a pipe are
  /// appended to `head`.
  private static func hasFrames(
    _ file: InputFile, block: inout [UInt8], head: inout [UInt8], endless: Bool
  ) throws(AACFileError) -> Bool {
    if file.isSeekable { return try hasFrames(file, after: head) }
    // A live stream has a frame in its first second.
    let limit = endless ? 1 << 16 : FrameSource.searchByteLimit(isPiped: true)
    var search = FrameSearch()
    search.push(head)
    var nextTest = 0
    while !search.isSuccessful, head.count < limit {
      #if os(Linux)
      // A pipe may deliver few bytes at a time, so test only every 2048 bytes.
      if endless, head.count >= nextTest {
        if MPEGAudioStream.isPresent(in: head) { break }
        nextTest = head.count + 2048
      }
      #endif
      let count = try file.read(into: &block)
      search.push(Array(block[..<count]))
      if count == 0 { break }
      head += block[..<count]
    }
    return search.isSuccessful
  }

  /// Returns whether AAC frames follow the tags of a seekable file that begins with `head`; does not
  /// change the position.
  private static func hasFrames(
    _ file: InputFile, after head: [UInt8]
  ) throws(AACFileError) -> Bool {
    let origin = file.position
    var search = FrameSearch()
    var offset = try file.content(startingWith: head).offset
    let end = offset + FrameSource.searchByteLimit()
    while !search.isSuccessful, offset <= end {
      let bytes = try file.bytes(at: offset, count: 1 << 16)
      search.push(bytes)
      if bytes.isEmpty { break }
      offset += bytes.count
    }
    try file.seek(to: origin)
    return search.isSuccessful
  }

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

extension DetectedSound {
  /// The format of the samples in `file`, and their number if the header specifies it.
  ///
  /// Decoded samples are floating-point numbers.
  func info(of file: InputFile) -> PCMFileInfo {
    switch self {
    case .stored(let info, _): info.unwrapped(in: file.size)
    case .coded(let sound):
      .decoded(
        sampleRate: sound.output.sampleRate, channelCount: sound.output.channelCount,
        layout: sound.output.layout)
    case .library(let sound):
      .decoded(sampleRate: sound.sampleRate, channelCount: sound.channelCount, layout: sound.layout)
    }
  }

  /// The number of frames in `file`, if known in advance.
  func frameCount(of file: InputFile) -> Int? {
    switch self {
    case .stored: info(of: file).frameCount(in: file.size)
    case .coded(let sound): sound.frameCount
    case .library(let sound): sound.frameCount
    }
  }
}

extension PCMFileError {
  /// Whether our own reader of samples does not recognize the kind of the file.
  fileprivate var isUnknownKind: Bool {
    switch self {
    case .notRecognized, .otherFormat: true
    default: false
    }
  }
}

extension PCMFileInfo {
  /// Returns the description of decoded samples as bytes of floating-point numbers.
  fileprivate static func decoded(
    sampleRate: Int, channelCount: Int, layout: ChannelLayout?
  ) -> PCMFileInfo {
    PCMFileInfo(
      format: PCMFormat(
        sampleFormat: SampleFormat(.float32LittleEndian), sampleRate: sampleRate,
        channelCount: channelCount, layout: layout))
  }

  /// Returns the number of frames in a file of `byteCount` bytes; nil if it is unknown.
  func frameCount(in byteCount: Int?) -> Int? {
    let size = byteCount.map { UInt64(max(0, $0)) }
    let rest = size.map { $0 - min($0, dataOffset) }
    let count = [dataByteCount, rest].compactMap(\.self).min()
    return count.map { Int(clamping: $0) / format.bytesPerFrame }
  }

  /// Returns a clause about a file that is this number of bytes shorter than its header specifies,
  /// and was “encoded” or otherwise used; nil if no audio is missing.
  func shortfall(_ missingByteCount: UInt64, wasUsed participle: String) -> String? {
    if !isMissingAudio(missingByteCount) { return nil }
    let size = QuantityText.size(Int(clamping: missingByteCount))
    return "is \(size) shorter than its header specifies; the available audio was \(participle)"
  }

  /// Returns whether audio is missing in a file that is this number of bytes shorter than its
  /// header specifies.
  ///
  /// Some writers count a padding byte after an odd number of bytes, but do not write it.
  private func isMissingAudio(_ missingByteCount: UInt64) -> Bool {
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

extension FileKind {
  /// Whether the AAC in a file of this kind can be decoded.
  var isDecoded: Bool {
    if case .other(let format) = self { format.isDecoded } else { false }
  }
}

/// A search for the first AAC frames of a stream that begins in the middle of a frame, such as a
/// live stream of Icecast.
///
/// A single sync word may be a coincidence. Several consecutive frames prove that the stream is
/// AAC.
struct FrameSearch {
  /// The number of consecutive frames that prove AAC; at the end of a file, two are enough.
  private static let requiredFrameCount = 3

  private var source = FrameSource(.frames)
  private var frameCount = 0

  /// Whether the bytes contain AAC frames.
  private(set) var isSuccessful = false

  /// Appends the next bytes; an empty array marks the end.
  mutating func push(_ bytes: [UInt8]) {
    let isEnd = bytes.isEmpty
    if isEnd { source.finish() } else { source.append(bytes) }
    let wantedCount = isEnd ? Self.requiredFrameCount - 1 : Self.requiredFrameCount
    while !isSuccessful, let event = source.next() {
      switch event.content {
      case .adts, .latm, .block: frameCount += 1
      case .tag, .header: break
      case .damage, .unreadableBlock, .failed: frameCount = 0
      }
      isSuccessful = frameCount >= wantedCount
    }
  }
}
