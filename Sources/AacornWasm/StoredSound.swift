import AacornContainers
import AacornSignal
import AacornSoundFiles

/// Reads the samples of a WAV, AIFF or CAF file, with the same steps as the reader of AAC files.
struct StoredSound {
  /// The interleaved samples of the last step at full scale ±1.
  private(set) var samples: [Float] = []

  private let byteCount: UInt64
  private var header = PCMFileReader()
  private var info: PCMFileInfo?
  private var frames: PCMFrameReader?
  /// The next file offset to read.
  private var position: UInt64 = 0
  private var isFormatReported = false
  /// The number of frames in `samples` that have not been reported.
  private var newFrameCount = 0

  private static let pieceLength: UInt64 = 1 << 16

  init(byteCount: UInt64) {
    self.byteCount = byteCount
  }

  /// The number of samples per channel; 0 before the header is complete.
  var frameCount: UInt64 { info?.frameCount(inFileOf: byteCount) ?? 0 }

  mutating func step() throws(PCMFileError) -> CodedAudioReader.Step {
    if info == nil, position >= byteCount { process(try header.finish()) }
    if let format = info?.format, !isFormatReported {
      isFormatReported = true
      return .format(
        sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout)
    }
    if newFrameCount > 0 {
      let count = newFrameCount
      newFrameCount = 0
      return .samples(frameCount: count)
    }
    if position >= byteCount || frames?.isAtEnd == true { return .end }
    return .need(offset: position, count: Int(min(Self.pieceLength, byteCount - position)))
  }

  /// Supplies the requested bytes; none mean that the file ends there.
  mutating func supply(_ bytes: [UInt8]) throws(PCMFileError) {
    if info == nil {
      let step = bytes.isEmpty ? try header.finish() : try header.push(bytes.span)
      if case .needMore = step { position += UInt64(bytes.count) }
      process(step)
      return
    }
    position = bytes.isEmpty ? byteCount : position + UInt64(bytes.count)
    samples.removeAll(keepingCapacity: true)
    Self.read(bytes, with: &frames, into: &samples)
    newFrameCount = samples.count / (info?.format.channelCount ?? 1)
  }

  private mutating func process(_ step: PCMFileReader.Step) {
    switch step {
    case .needMore: break
    case .seek(let offset): position = offset
    case .ready(let info):
      self.info = info
      _ = seek(toFrame: 0)
    }
  }

  /// Seeks to a frame; returns false before the header is complete.
  mutating func seek(toFrame frame: UInt64) -> Bool {
    guard let info else { return false }
    let skipped = min(frame, frameCount) * UInt64(info.format.bytesPerFrame)
    position = info.dataOffset + skipped
    frames = PCMFrameReader(format: info.format, byteCount: info.dataByteCount.map { $0 - skipped })
    newFrameCount = 0
    return true
  }

  // Static, because a span of one property excludes a mutation of another.
  private static func read(
    _ bytes: [UInt8], with frames: inout PCMFrameReader?, into samples: inout [Float]
  ) {
    frames?.read(bytes.span, into: &samples)
  }
}
