/// Keeps account of the decoder's input buffer (ISO/IEC 14496-3, 4.5.3.2).
///
/// The buffer of 6144 bits a channel fills at the constant rate of the channel and empties a frame
/// at a time. A frame may take what is there; when the buffer is full, fill bits must be sent.
/// Whole bits are counted; the fraction of a bit a frame that a rate leaves over is carried along.
///
///     0 … floor … rest … ceiling … capacity
///
/// A stream has one to two frames more than its sound lasts. The reservoir starts by so much below
/// its level of rest and is filled up in the first seconds, so that the rate is met over the sound
/// and not only over the frames. Floor and ceiling keep the total within 0.4 % of what the rate
/// allows after ten seconds, and open as time goes on.
struct BitReservoir: Sendable {
  /// The most the reservoir can hold beyond one frame's mean.
  let capacity: Int
  /// Bits saved now.
  private(set) var level: Int
  /// Where the controller steers to.
  let restLevel: Int
  /// The most bits a frame may have, by the size of the decoder's buffer.
  let largestFrame: Int

  private let bitsPerSecond: Int
  private let sampleRate: Int
  private var fraction = 0
  private var frameCount = 0
  private var floor = 0
  private var ceiling = 0
  /// Whole bits that the frame being made may take on average.
  private(set) var mean = 0

  init(bitsPerSecond: Int, sampleRate: Int, bufferedChannels: Int) {
    self.bitsPerSecond = bitsPerSecond
    self.sampleRate = sampleRate
    largestFrame = 6144 * bufferedChannels
    let mean = Int(Int64(bitsPerSecond) * 1024 / Int64(sampleRate))
    capacity = max(0, largestFrame - mean - 8)
    restLevel = min(capacity * 7 / 10, capacity / 4 + mean * 3 / 2)
    level = max(0, restLevel - mean * 3 / 2)
    beginFrame()
  }

  /// The most bits the frame being made may have.
  var most: Int { max(0, min(largestFrame, mean + level - floor)) }
  /// The fewest: what would overflow the buffer must be sent.
  var least: Int { max(0, mean + level - ceiling) }

  /// Books a frame of `bits` (a multiple of eight) and begins the next.
  mutating func endFrame(bits: Int) {
    level += mean - bits
    frameCount += 1
    beginFrame()
  }

  private mutating func beginFrame() {
    // In 64 bits: where Int has 32, the products do not fit.
    let bits = Int64(bitsPerSecond) * 1024 + Int64(fraction)
    mean = Int(bits / Int64(sampleRate))
    fraction = Int(bits % Int64(sampleRate))
    let elapsed = Int64(frameCount) * 1_024_000 / Int64(sampleRate)
    let milliseconds = Int(min(elapsed, 1_000_000))
    let allowance = Int(Int64(max(10_000, milliseconds)) * Int64(bitsPerSecond) / 250_000)
    floor = Int(Int64(max(0, restLevel - allowance)) * Int64(min(milliseconds, 5000)) / 5000)
    ceiling = min(capacity, restLevel + allowance)
    // While the reservoir fills up, a frame may always have most of the mean.
    floor = min(floor, level + mean / 8)
  }
}
