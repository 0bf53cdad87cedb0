import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Uncompressed samples in an open file, which several threads can read at the same time.
struct StoredSamples: Sendable {
  let descriptor: Int32
  /// The name in messages.
  let path: String
  let info: PCMFileInfo
  /// The position of the first sample in the file.
  let position: Int
  let frameCount: Int

  /// The size of the blocks in bytes, at most.
  private static let blockSize = 65_536

  /// Reads a range of frames, and passes blocks of whole frames to `receive`.
  func read(
    _ frames: Range<Int>, _ receive: (_ frames: Range<Int>, _ bytes: [UInt8]) -> Void
  ) throws(AACFileError) {
    let frameSize = info.format.bytesPerFrame
    let blockLength = max(1, Self.blockSize / frameSize)
    var block: [UInt8] = []
    var next = frames.lowerBound
    while next < frames.upperBound {
      let count = min(blockLength, frames.upperBound - next)
      if block.count != count * frameSize {
        block = [UInt8](repeating: 0, count: count * frameSize)
      }
      let byteCount: Int
      do throws(SystemError) {
        byteCount = try System.fill(&block, from: descriptor, at: position + next * frameSize)
      } catch {
        throw AACFileError(.read, path, because: error)
      }
      if byteCount < block.count { throw .changedDuringRead(path) }
      receive(next..<next + count, block)
      next += count
    }
  }
}
