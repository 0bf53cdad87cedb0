import AacornContainers
import AacornSignal
import AacornSoundFiles

/// Turns a WAV, AIFF or CAF file into samples, in the steps of the reader of AAC files.
struct StoredSound {
  /// Interleaved samples at full scale ±1, as many as the last step said.
  private(set) var samples: [Float] = []

  private let byteCount: UInt64
  private var header = PCMFileReader()
  private var info: PCMFileInfo?
  private var frames: PCMFrameReader?
  /// Where to read the file next.
  private var position: UInt64 = 0
  private var isFormatTold = false
  /// Frames in `samples` that have not been told.
  private var newFrameCount = 0

  private static let pieceLength: UInt64 = 1 << 16

  /// A file of `byteCount` bytes.
  init(byteCount: UInt64) {
    self.byteCount = byteCount
  }

  /// Samples per channel; 0 before the header is complete.
  var frameCount: UInt64 {
    guard let info else { return 0 }
    let rest = byteCount - min(byteCount, info.dataOffset)
    return min(info.dataByteCount ?? rest, rest) / UInt64(info.format.bytesPerFrame)
  }

  /// The next event.
  mutating func step() throws(PCMFileError) -> CodedSoundReader.Step {
    if info == nil, position >= byteCount { take(try header.finish()) }
    if let format = info?.format, !isFormatTold {
      isFormatTold = true
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

  /// Takes the requested bytes; none mean that the file ends there.
  mutating func supply(_ bytes: [UInt8]) throws(PCMFileError) {
    if info == nil {
      let step = bytes.isEmpty ? try header.finish() : try header.push(bytes.span)
      if case .needMore = step { position += UInt64(bytes.count) }
      take(step)
      return
    }
    position = bytes.isEmpty ? byteCount : position + UInt64(bytes.count)
    samples.removeAll(keepingCapacity: true)
    Self.read(bytes, with: &frames, into: &samples)
    newFrameCount = samples.count / (info?.format.channelCount ?? 1)
  }

  private mutating func take(_ step: PCMFileReader.Step) {
    switch step {
    case .needMore: break
    case .seek(let offset): position = offset
    case .ready(let info):
      self.info = info
      _ = seek(toFrame: 0)
    }
  }

  /// Continues with the frame of this number; false before the header is complete.
  mutating func seek(toFrame frame: UInt64) -> Bool {
    guard let info else { return false }
    let skipped = min(frame, frameCount) * UInt64(info.format.bytesPerFrame)
    position = info.dataOffset + skipped
    frames = PCMFrameReader(format: info.format, byteCount: info.dataByteCount.map { $0 - skipped })
    newFrameCount = 0
    return true
  }

  // A span of one property and a mutation of another exclude each other.
  private static func read(
    _ bytes: [UInt8], with frames: inout PCMFrameReader?, into samples: inout [Float]
  ) {
    frames?.read(bytes.span, into: &samples)
  }
}
