import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Uncompressed frames in an open file, for a signal with independent copies.
struct StoredSignal: Sendable {
  let frameCount: Int
  /// The error that ended reading, as a clause.
  private(set) var problem: String?
  /// The number of missing bytes according to the header.
  private let missingByteCount: Int
  private let file: SignalFile
  private let format: SampleFormat
  private let bytesPerFrame: Int
  private var offset: Int
  private let end: Int
  private var bytes: [UInt8] = []

  /// Creates a reader of a file's samples.
  init(_ info: PCMFileInfo, in file: SignalFile) {
    self.file = file
    format = info.format.sampleFormat
    bytesPerFrame = info.format.bytesPerFrame
    offset = Int(clamping: info.dataOffset)
    let rest = max(0, file.byteCount - offset)
    let count = min(rest, info.dataByteCount.map { Int(clamping: $0) } ?? rest)
    let missing = info.dataByteCount.map { $0 - UInt64(count) } ?? 0
    missingByteCount = info.isMissingAudio(missing) ? Int(clamping: missing) : 0
    frameCount = count / bytesPerFrame
    end = offset + count / bytesPerFrame * bytesPerFrame
  }

  /// The missing audio, known at the end, as a clause about the file.
  var damage: String? {
    guard offset >= end, missingByteCount > 0 else { return nil }
    return
      "is \(QuantityText.size(missingByteCount)) shorter than its header specifies; the available "
      + "audio was used"
  }

  /// Appends the next frames and returns their number: fewer than requested only at the end.
  mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let wanted = min(frameCount * bytesPerFrame, end - offset)
    guard wanted > 0 else { return 0 }
    if bytes.count != wanted { bytes = [UInt8](repeating: 0, count: wanted) }
    let filled: Int
    do throws(SystemError) {
      filled = try file.read(into: &bytes, at: offset)
    } catch {
      problem = error.text
      return 0
    }
    let frames = filled / bytesPerFrame
    let used = frames * bytesPerFrame
    SampleConversion.append(bytes.span.extracting(..<used), as: format, to: &samples)
    offset += used
    return frames
  }
}
