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
///
/// Where a segment of the stream ends (see `AACEncoder.segmentFrameCount`), they close in on the level
/// of rest, so that the next segment finds the same level whatever came before it.
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
  private let firstLevel: Int
  private var frameIndex: Int
  private var floor = 0
  private var ceiling = 0
  /// Whole bits that the frame being made may take on average.
  private(set) var mean = 0

  /// A reservoir before frame `frameIndex`, the first of a segment.
  init(bitsPerSecond: Int, sampleRate: Int, bufferedChannels: Int, frameIndex: Int = 0) {
    self.bitsPerSecond = bitsPerSecond
    self.sampleRate = sampleRate
    self.frameIndex = frameIndex
    largestFrame = 6144 * bufferedChannels
    let mean = Int(Int64(bitsPerSecond) * 1024 / Int64(sampleRate))
    capacity = max(0, largestFrame - mean - 8)
    restLevel = min(capacity * 7 / 10, capacity / 4 + mean * 3 / 2)
    firstLevel = max(0, restLevel - mean * 3 / 2)
    level = firstLevel
    if frameIndex > 0 { level = boundaryLevel(before: frameIndex) }
    beginFrame()
  }

  /// The most bits the frame being made may have.
  var most: Int { max(0, min(largestFrame, mean + level - floor)) }
  /// The fewest: what would overflow the buffer must be sent.
  var least: Int { max(0, mean + level - ceiling) }

  /// Books a frame of `bits` (a multiple of eight) and begins the next.
  mutating func endFrame(bits: Int) {
    level += mean - bits
    frameIndex += 1
    beginFrame()
  }

  /// Whole bits that have arrived before a frame.
  private func arrived(before frame: Int) -> Int64 {
    // In 64 bits: where Int has 32, the products do not fit.
    Int64(bitsPerSecond) * 1024 * Int64(frame) / Int64(sampleRate)
  }

  /// The level at which a segment that begins with `frame` is to be found: the level of rest, or up
  /// to seven bits above it, since frames are whole bytes and their means need not be.
  private func boundaryLevel(before frame: Int) -> Int {
    let arrivedAtRest = Int64(firstLevel) + arrived(before: frame) - Int64(restLevel)
    return restLevel + Int(arrivedAtRest & 7)
  }

  private mutating func beginFrame() {
    mean = Int(arrived(before: frameIndex + 1) - arrived(before: frameIndex))
    let elapsed = Int64(frameIndex) * 1_024_000 / Int64(sampleRate)
    let milliseconds = Int(min(elapsed, 1_000_000))
    let allowance = Int(Int64(max(10_000, milliseconds)) * Int64(bitsPerSecond) / 250_000)
    floor = Int(Int64(max(0, restLevel - allowance)) * Int64(min(milliseconds, 5000)) / 5000)
    ceiling = min(capacity, restLevel + allowance)
    // While the reservoir fills up, a frame may always have most of the mean.
    floor = min(floor, level + mean / 8)
    closeIn()
  }

  /// Narrows the room towards the end of the segment, slowly enough for any frame to keep to it.
  private mutating func closeIn() {
    let segment = AACEncoder.segmentFrameCount
    let end = (frameIndex / segment + 1) * segment
    let remaining = end - 1 - frameIndex
    let target = boundaryLevel(before: end)
    floor = max(floor, target - remaining * (mean / 4))
    ceiling = max(floor, min(ceiling, target + remaining * (mean / 4)))
  }
}
