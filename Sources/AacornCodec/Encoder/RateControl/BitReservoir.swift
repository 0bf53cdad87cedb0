/// Models the decoder's input buffer (ISO/IEC 14496-3, 4.5.3.2).
///
/// The buffer of 6144 bits per channel fills at the constant transmission rate and empties one
/// frame at a time. A frame can use the bits in the buffer; when the buffer is full, fill bits must
/// be sent. Whole bits are counted; the remaining fraction of a bit is carried to the next frame.
///
///     0 … floor … target … ceiling … capacity
///
/// A stream is one to two frames longer than its audio. So the reservoir starts below its target
/// level, by the mean size of 1.5 frames, and fills up in the first seconds. Then the rate is met
/// over the duration of the audio, not only over the frames. Floor and ceiling keep the total
/// within 0.4 % of the nominal number of bits after ten seconds, and widen over time.
///
/// The rate may change before any frame. The level is carried over, limited to the capacity at the
/// new rate: the excess is treated as never sent. During the change, bits arrive no faster than at
/// the higher of the two rates and, except for less than a byte, no slower than at the lower one.
/// The next frames start from an unchanged level, so the buffer neither overflows nor underruns. At
/// first, floor and ceiling include the current level. Then they close in on the values of the new
/// rate, as after the start.
///
/// Toward the end of a segment (see `AACEncoder.segmentFrameCount`), floor and ceiling close in on
/// the target level, so that every segment starts at the same level. After a change of the rate they
/// do not: all later frames depend on the change anyway.
struct BitReservoir: Sendable {
  /// The maximum of `level`: the size of the buffer minus the mean size of a frame and one byte.
  let capacity: Int
  /// The number of saved bits.
  private(set) var level: Int
  /// The level the controller steers toward.
  let targetLevel: Int
  /// The maximum number of bits in a frame, from the size of the decoder's buffer.
  let largestFrame: Int

  private let bitsPerSecond: Int
  private let sampleRate: Int
  private let startLevel: Int
  /// Whether the level is the same at the beginning of every segment.
  private let restartsAtSegments: Bool
  /// The number of frames since the start, or since the last change of the rate.
  private var frameIndex: Int
  private var floor = 0
  private var ceiling = 0
  /// The number of whole bits that arrive during the frame in progress.
  private(set) var mean = 0

  /// Creates a reservoir before frame `frameIndex`, the first of a segment.
  init(bitsPerSecond: Int, sampleRate: Int, bufferedChannels: Int, frameIndex: Int = 0) {
    self.init(
      bitsPerSecond: bitsPerSecond, sampleRate: sampleRate,
      largestFrame: FrameLimits.bufferBitsPerChannel * bufferedChannels, frameIndex: frameIndex,
      continuing: nil)
  }

  /// Continues a reservoir at another rate from the frame in progress.
  init(continuing reservoir: BitReservoir, bitsPerSecond: Int) {
    self.init(
      bitsPerSecond: bitsPerSecond, sampleRate: reservoir.sampleRate,
      largestFrame: reservoir.largestFrame, frameIndex: 0, continuing: reservoir.level)
  }

  private init(
    bitsPerSecond: Int, sampleRate: Int, largestFrame: Int, frameIndex: Int,
    continuing oldLevel: Int?
  ) {
    self.bitsPerSecond = bitsPerSecond
    self.sampleRate = sampleRate
    self.largestFrame = largestFrame
    self.frameIndex = frameIndex
    restartsAtSegments = oldLevel == nil
    let mean = Int(Int64(bitsPerSecond) * 1024 / Int64(sampleRate))
    capacity = max(0, largestFrame - mean - 8)
    targetLevel = min(capacity * 7 / 10, capacity / 4 + mean * 3 / 2)
    startLevel = min(capacity, oldLevel ?? max(0, targetLevel - mean * 3 / 2))
    level = startLevel
    if frameIndex > 0 { level = boundaryLevel(before: frameIndex) }
    beginFrame()
  }

  /// The maximum number of bits of the frame in progress.
  var maxBitCount: Int { max(0, min(largestFrame, mean + level - floor)) }
  /// The minimum number of bits of the frame in progress; with fewer, the buffer would overflow.
  var minBitCount: Int { max(0, mean + level - ceiling) }

  /// Records a frame of `bits` (a multiple of eight) and begins the next.
  mutating func endFrame(bits: Int) {
    level += mean - bits
    frameIndex += 1
    beginFrame()
  }

  /// Returns the whole bits that have arrived before a frame.
  private func arrived(before frame: Int) -> Int64 {
    // In 64 bits: the products do not fit a 32-bit Int.
    Int64(bitsPerSecond) * 1024 * Int64(frame) / Int64(sampleRate)
  }

  /// Returns the level at which a segment that begins with `frame` must start.
  ///
  /// It is the target level, or up to seven bits above it, since frames are whole bytes but their
  /// means need not be.
  private func boundaryLevel(before frame: Int) -> Int {
    let arrivedAtTarget = Int64(startLevel) + arrived(before: frame) - Int64(targetLevel)
    return targetLevel + Int(arrivedAtTarget & 7)
  }

  private mutating func beginFrame() {
    mean = Int(arrived(before: frameIndex + 1) - arrived(before: frameIndex))
    let elapsed = Int64(frameIndex) * 1_024_000 / Int64(sampleRate)
    let milliseconds = Int(min(elapsed, 1_000_000))
    let allowance = Int(Int64(max(10_000, milliseconds)) * Int64(bitsPerSecond) / 250_000)
    floor = Int(Int64(max(0, targetLevel - allowance)) * Int64(min(milliseconds, 5000)) / 5000)
    ceiling = min(capacity, targetLevel + allowance)
    // While the reservoir fills up, a frame can always use seven eighths of the mean.
    floor = min(floor, level + mean / 8)
    if restartsAtSegments {
      narrowRange()
    } else {
      // The ceiling includes the current level, so bits saved at another rate are spent gradually.
      ceiling = max(ceiling, min(capacity, level))
    }
  }

  /// Narrows the range toward the end of the segment, slowly enough for any frame to comply.
  private mutating func narrowRange() {
    let segment = AACEncoder.segmentFrameCount
    let end = (frameIndex / segment + 1) * segment
    let remaining = end - 1 - frameIndex
    let target = boundaryLevel(before: end)
    floor = max(floor, target - remaining * (mean / 4))
    ceiling = max(floor, min(ceiling, target + remaining * (mean / 4)))
  }
}
