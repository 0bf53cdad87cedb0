import AacornSignal
import AacornSystem

/// The destination of captured audio: two lock-free rings and a semaphore.
///
///     audio thread: write(…) ─► samples ring (Float) ┐
///                               blocks ring ─────────┴► read(…) on the consumer's thread
///
/// Only the source's thread writes, and only the consumer's reads. A block that does not fit is
/// dropped completely and counted; the next block that fits states the number of frames missing
/// before it. Writing neither allocates, locks nor logs.
///
/// A monitor has a separate ring, so that a stalled monitor does not affect the consumer.
public final class CaptureSink: Sendable {
  private let samples: RingBuffer<Float>
  private let blocks: RingBuffer<CaptureBlock>
  private let semaphore = Semaphore()
  /// The number of frames lost since the last written block; used by the writing thread only.
  private let droppedFrameCount = Atomic<Int>(0)
  private let isWoken = Atomic<Bool>(false)
  /// The sink that receives a copy while a monitor is active.
  package let listener: CaptureSink?
  private let isMonitoredFlag = Atomic<Bool>(true)

  /// Creates a sink with room for this many samples of all channels together, up to 2²⁶.
  ///
  /// It also has room for one block per 128 samples.
  public convenience init(sampleCapacity: Int) {
    self.init(sampleCapacity: min(max(1, sampleCapacity), 1 << 26), listener: nil)
  }

  private init(sampleCapacity: Int, listener: CaptureSink?) {
    self.listener = listener
    listener?.isMonitored = false
    samples = RingBuffer(capacity: sampleCapacity, filledWith: 0)
    blocks = RingBuffer(
      capacity: max(256, sampleCapacity / 128),
      filledWith: CaptureBlock(frameCount: 0, channelCount: 1, sampleRate: 1, time: 0))
  }

  /// Creates a sink for some seconds of typical audio: 4 s at 48 kHz in stereo, 1 s of eight
  /// channels.
  public convenience init() {
    // A monitor buffers a third of a second at most, and typically much less.
    self.init(sampleCapacity: 393_216, listener: CaptureSink(sampleCapacity: 32_768))
  }

  /// Whether a monitor reads this sink, which is the listener of another sink; otherwise it
  /// receives no copies.
  package var isMonitored: Bool {
    get { isMonitoredFlag.load(ordering: .relaxed) }
    set { isMonitoredFlag.store(newValue, ordering: .relaxed) }
  }

  /// Writes a block with the interleaved samples in `bytes`, in the machine's byte order.
  ///
  /// Call it on the source's thread. Returns false if there was no room, if the block's numbers are
  /// invalid, or if `bytes` has fewer samples than the block; the lost frames are counted.
  @discardableResult
  public func write(
    _ block: CaptureBlock, _ bytes: UnsafeRawBufferPointer, _ format: CaptureSampleFormat
  ) -> Bool {
    let isWritten = unsafe put(block, bytes.baseAddress, byteCount: bytes.count, format)
    semaphore.signal()
    if let listener, listener.isMonitored { unsafe listener.write(block, bytes, format) }
    return isWritten
  }

  @_noAllocation
  private func put(
    _ block: CaptureBlock, _ bytes: UnsafeRawPointer?, byteCount: Int,
    _ format: CaptureSampleFormat
  ) -> Bool {
    let (count, isTooLong) = block.frameCount.multipliedReportingOverflow(by: block.channelCount)
    let pending = droppedFrameCount.load(ordering: .relaxed)
    // The block's slot is checked first, so that samples are never stored without their block.
    guard blocks.free > 0, !isTooLong, block.frameCount >= 0, count >= 0, samples.free >= count,
      count <= byteCount / format.byteCount
    else { return drop(block, pending) }
    if let bytes = unsafe bytes { unsafe put(count, bytes, format) }
    var block = block
    block.clampValues()
    if pending > 0 {
      block.lostFrameCount &+= pending
      block.lossCause = .programLate
      droppedFrameCount.store(0, ordering: .relaxed)
      block.clampValues()
    }
    return blocks.write(count: 1) { _ in block }
  }

  @_noAllocation
  private func put(_ count: Int, _ bytes: UnsafeRawPointer, _ format: CaptureSampleFormat) {
    switch format {
    case .int16:
      _ = samples.write(count: count) {
        Float(unsafe bytes.loadUnaligned(fromByteOffset: $0 &* 2, as: Int16.self)) * 0x1p-15
      }
    case .int24:
      _ = samples.write(count: count) { index in
        let low = UInt32(unsafe bytes.load(fromByteOffset: index &* 3, as: UInt8.self))
        let middle = UInt32(unsafe bytes.load(fromByteOffset: index &* 3 &+ 1, as: UInt8.self))
        let high = UInt32(unsafe bytes.load(fromByteOffset: index &* 3 &+ 2, as: UInt8.self))
        let word = low << 8 | middle << 16 | high << 24
        return Float(Int32(bitPattern: word)) * 0x1p-31
      }
    case .int32:
      _ = samples.write(count: count) {
        Float(unsafe bytes.loadUnaligned(fromByteOffset: $0 &* 4, as: Int32.self)) * 0x1p-31
      }
    case .float32:
      _ = samples.write(count: count) {
        unsafe bytes.loadUnaligned(fromByteOffset: $0 &* 4, as: Float.self)
      }
    }
  }

  @_noAllocation
  private func drop(_ block: CaptureBlock, _ pending: Int) -> Bool {
    var block = block
    block.clampValues()
    // Clamp the invalid count: no ring has room for 2³⁰ frames.
    let lost = pending &+ block.lostFrameCount &+ min(max(0, block.frameCount), 1 << 30)
    droppedFrameCount.store(lost, ordering: .relaxed)
    return false
  }

  /// Returns whether a block would fit now; for a source thread that can wait, unlike a device's.
  public func hasRoom(for block: CaptureBlock) -> Bool {
    let (count, isTooLong) = block.frameCount.multipliedReportingOverflow(by: block.channelCount)
    return blocks.free > 0 && !isTooLong && samples.free >= count
  }

  /// Returns whether `count` blocks with `sampleCount` samples in total would fit now.
  package func hasRoom(blocks count: Int, samples sampleCount: Int) -> Bool {
    blocks.free >= count && samples.free >= sampleCount
  }

  /// Writes an event between the samples, on the source's thread.
  ///
  /// Returns false if there was no room, which happens only when the consumer has stopped.
  @discardableResult
  public func notify(_ event: DeviceEvent, time: Int64) -> Bool {
    let isWritten = put(CaptureBlock(event, time: time))
    semaphore.signal()
    if let listener, listener.isMonitored { listener.notify(event, time: time) }
    return isWritten
  }

  @_noAllocation
  private func put(_ event: CaptureBlock) -> Bool {
    blocks.write(count: 1) { _ in event }
  }

  /// Returns the next block and appends its samples to `output`; nil if none arrives in time.
  ///
  /// Call it on the consumer's thread.
  public func read(into output: inout [Float], milliseconds: Int) -> CaptureBlock? {
    var isLastPoll = milliseconds <= 0
    while true {
      if isWoken.exchange(false) { isLastPoll = true }
      if let block = blocks.read() {
        _ = samples.read(count: block.frameCount * block.channelCount) { output.append($0) }
        return block
      }
      if isLastPoll { return nil }
      isLastPoll = !semaphore.wait(milliseconds: milliseconds)
    }
  }

  /// Returns and clears the number of frames dropped after the last written block.
  ///
  /// Call it when the source has stopped.
  public func takeDroppedFrameCount() -> Int {
    droppedFrameCount.exchange(0)
  }

  /// Wakes the consumer without a block, so that it checks for other work.
  public func wake() {
    isWoken.store(true, ordering: .relaxed)
    semaphore.signal()
  }
}

/// The format of a device's samples, in the machine's byte order.
@frozen
public enum CaptureSampleFormat: UInt8, BitwiseCopyable, Sendable {
  /// 16-bit integers.
  case int16
  /// 24-bit integers in three bytes.
  case int24
  /// 32-bit integers.
  case int32
  /// Single precision.
  case float32

  /// The size of a sample in bytes.
  public var byteCount: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .int32, .float32: 4
    }
  }
}
