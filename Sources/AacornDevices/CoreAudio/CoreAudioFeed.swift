import AacornSystem

/// Moves the captured samples of one unit into the sink, on the audio thread.
///
/// The audio thread also sends the events that precede the first samples, once samples arrive. So
/// a device that starts without delivering is never reported as returned. The sink has one writer
/// at a time: the audio thread while the unit runs, the controlling thread between units.
final class CoreAudioFeed: CoreAudioFlow {
  private let sink: CaptureSink
  private let gate: DeviceGate
  private let events: [DeviceEvent]
  private let format: CoreAudioFormat
  private var timeline: CoreAudioTimeline
  private var hasAnnounced = false

  /// The number of received blocks.
  private let blockCount = Atomic<Int>(0)
  /// The length of the longest rejected block, which exceeded the unit's capacity, in frames.
  private let oversizedFrameCount = Atomic<Int>(0)
  /// The status of the last failed call.
  private let lastStatus = Atomic<Int32>(0)

  init(
    _ format: CoreAudioFormat, sink: CaptureSink, gate: DeviceGate, events: [DeviceEvent]
  ) {
    self.format = format
    self.sink = sink
    self.gate = gate
    self.events = events
    timeline = CoreAudioTimeline(sampleRate: format.sampleRate)
  }

  // MARK: On the audio thread

  /// Appends the rendered samples of a unit, in the feed's format.
  ///
  /// `count` is the device's frame count before the first frame, and `time` is the time at which
  /// the first frame was captured; either may be unknown. If fewer frames arrived than the device
  /// counted, the others are lost.
  func take(
    _ bytes: UnsafeRawPointer, frameCount: Int, of wantedFrameCount: Int, count: Double?,
    time: Int64?
  ) {
    guard gate.isOpen else { return }
    let duration = System.nanoseconds(ofFrames: Int64(frameCount), at: format.sampleRate)
    let blockTime = time ?? (System.nanoseconds - duration)
    if !hasAnnounced {
      hasAnnounced = true
      for event in events { sink.notify(event, time: blockTime) }
    }
    if frameCount > 0 {
      let lost = timeline.lostFrameCount(before: frameCount, count: count, time: time)
      let block = CaptureBlock(
        frameCount: frameCount, channelCount: format.channelCount, sampleRate: format.sampleRate,
        time: blockTime, isTimeReliable: time != nil, lostFrameCount: lost, lossCause: .overrun)
      unsafe sink.write(
        block,
        UnsafeRawBufferPointer(start: bytes, count: frameCount * format.channelCount * 4), .float32)
      blockCount.add(1)
    }
    if frameCount < wantedFrameCount { timeline.miss(wantedFrameCount - frameCount) }
  }

  /// Records that a block could not be rendered.
  func fail(frameCount: Int, status: CoreAudioStatus) {
    timeline.miss(frameCount)
    lastStatus.store(status.code, ordering: .relaxed)
  }

  /// Records that a block exceeded the unit's capacity.
  func recordOversizedBlock(frameCount: Int) {
    timeline.miss(frameCount)
    oversizedFrameCount.store(frameCount, ordering: .relaxed)
  }

  // MARK: On the controlling thread

  /// A number that keeps changing while samples arrive.
  var progress: Int { blockCount.load(ordering: .acquiring) }

  /// The length of the longest block that did not fit, in frames; 0 if all fit.
  var neededFrameCount: Int { oversizedFrameCount.load(ordering: .relaxed) }

  /// The last rendering error.
  var failure: CoreAudioStatus? {
    let code = lastStatus.load(ordering: .relaxed)
    return code == 0 ? nil : CoreAudioStatus(code)
  }
}

/// Computes the number of frames that a device has lost between two blocks.
///
/// A device counts its frames (`mSampleTime`). A count that is larger than the number of received
/// frames means lost frames, but only if the clock advanced as well. Voice processing counts at
/// another rate than it delivers, and some devices restart their count, both without any loss.
struct CoreAudioTimeline {
  private let sampleRate: Double
  /// The device's count at the next frame.
  private var expectedCount: Double?
  /// The capture time of the next frame, in nanoseconds.
  private var expectedTime: Int64?
  /// The number of frames known to be lost since the last block.
  private var missedCount = 0

  init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
  }

  /// Returns the number of frames missing before a block of `frameCount` frames that begins at
  /// `time`.
  mutating func lostFrameCount(before frameCount: Int, count: Double?, time: Int64?) -> Int {
    let lost = missedCount + unseenCount(count, time)
    missedCount = 0
    expectedCount = count
    expectedTime = time
    advance(by: frameCount)
    return lost
  }

  /// Records that this many frames were lost.
  mutating func miss(_ frameCount: Int) {
    missedCount += frameCount
    advance(by: frameCount)
  }

  private func unseenCount(_ count: Double?, _ time: Int64?) -> Int {
    guard let count, let time, let expectedCount, let expectedTime else { return 0 }
    let jump = (count - expectedCount).rounded()
    // A gap of a day or more means that the count restarted elsewhere. NaN fails as well.
    guard jump >= 1, jump < sampleRate * 86_400 else { return 0 }
    let passed = Double(time - expectedTime) * 1e-9 * sampleRate
    return passed * 2 > jump ? Int(jump) : 0
  }

  private mutating func advance(by frameCount: Int) {
    expectedCount = expectedCount.map { $0 + Double(frameCount) }
    expectedTime = expectedTime.map { $0 + Int64(Double(frameCount) / sampleRate * 1e9) }
  }
}
