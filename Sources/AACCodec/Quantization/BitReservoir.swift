/// Keeps account of the decoder's input buffer (ISO/IEC 14496-3, 4.5.3.2).
///
/// The buffer of 6144 bits a channel fills at the constant rate of the channel and empties a frame
/// at a time. A frame may take what is there; when the buffer is full, fill bits must be sent.
/// Whole bits are counted; the fraction of a bit a frame that a rate leaves over is carried along.
struct BitReservoir: Sendable {
  /// The most the reservoir can hold beyond one frame's mean.
  let capacity: Int
  /// Bits saved now.
  private(set) var level: Int
  /// Level at the start, where the controller steers to, so that the mean rate is met.
  let restLevel: Int
  /// The most bits a frame may have, by the size of the decoder's buffer.
  let largestFrame: Int

  private let bitsPerSecond: Int
  private let sampleRate: Int
  private var fraction = 0
  /// Whole bits that the frame being made may take on average.
  private(set) var mean: Int

  init(bitsPerSecond: Int, sampleRate: Int, bufferedChannels: Int) {
    self.bitsPerSecond = bitsPerSecond
    self.sampleRate = sampleRate
    largestFrame = 6144 * bufferedChannels
    mean = bitsPerSecond * 1024 / sampleRate
    capacity = max(0, largestFrame - mean - 8)
    // Borrowing is bounded by 40 ms of the rate, so that ten seconds stay within half a percent.
    restLevel = min(capacity / 2, bitsPerSecond / 25)
    level = restLevel
    beginFrame()
  }

  /// The most bits the frame being made may have.
  var most: Int { min(largestFrame, mean + level) }
  /// The fewest: what would overflow the buffer must be sent.
  var least: Int { max(0, mean + level - capacity) }

  /// Books a frame of `bits` (a multiple of eight) and begins the next.
  mutating func endFrame(bits: Int) {
    level += mean - bits
    beginFrame()
  }

  private mutating func beginFrame() {
    fraction += bitsPerSecond * 1024
    mean = fraction / sampleRate
    fraction -= mean * sampleRate
  }
}
