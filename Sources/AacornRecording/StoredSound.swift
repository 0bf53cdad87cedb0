import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Frames that lie in an open file as they are, for a signal whose copies read independently.
struct StoredSound: Sendable {
  /// How many frames there are.
  let frameCount: Int
  private let descriptor: Int32
  private let format: SampleFormat
  private let bytesPerFrame: Int
  private var offset: Int
  private let end: Int
  private var bytes: [UInt8] = []
  /// What the system says about a file that cannot be read on.
  private(set) var systemError: SystemError?

  /// The samples of a file of this size, whose descriptor must stay open.
  init(_ info: PCMFileInfo, in descriptor: Int32, byteCount: Int) {
    self.descriptor = descriptor
    format = info.format.sampleFormat
    bytesPerFrame = info.format.bytesPerFrame
    offset = Int(clamping: info.dataOffset)
    let rest = max(0, byteCount - offset)
    let count = min(rest, info.dataByteCount.map { Int(clamping: $0) } ?? rest)
    frameCount = count / bytesPerFrame
    end = offset + count / bytesPerFrame * bytesPerFrame
  }

  /// Appends the next frames and returns how many: fewer than asked only at the end.
  mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let wanted = min(frameCount * bytesPerFrame, end - offset)
    guard wanted > 0 else { return 0 }
    if bytes.count != wanted { bytes = [UInt8](repeating: 0, count: wanted) }
    var filled = 0
    do throws(SystemError) {
      while filled < wanted {
        var piece = filled == 0 ? bytes : [UInt8](repeating: 0, count: wanted - filled)
        let count = try System.read(descriptor, into: &piece, at: offset + filled)
        if count == 0 { break }
        bytes.replaceSubrange(filled..<filled + count, with: piece[..<count])
        filled += count
      }
    } catch {
      systemError = error
    }
    let frames = filled / bytesPerFrame
    let used = frames * bytesPerFrame
    SampleConversion.append(bytes.span.extracting(..<used), as: format, to: &samples)
    offset += used
    return frames
  }
}
