import AacornSystem

/// Fills the blocks of one unit from the program's feed, on the audio thread.
///
/// The audio thread also sends the events that precede the first samples, once the device requests
/// samples. So a device that starts without playing is never reported as returned. The feed has one
/// reader at a time: the audio thread while the unit runs, no thread between units.
@safe
final class CoreAudioFeedRenderer: CoreAudioFlow {
  private let feed: PlaybackFeed
  private let gate: DeviceGate
  private let events: [DeviceEvent]
  private let channels: CoreAudioChannels
  private var timeline: CoreAudioTimeline
  private var clock: CoreAudioSoundClock
  private var hasAnnounced = false
  /// Whether the last frame came from the feed, not from silence.
  private var isSounding = false
  /// A buffer for the feed's frames before they are mixed.
  private let frames: UnsafeMutablePointer<Float>
  /// The capacity of `frames`: the largest number of frames that most units request at a time.
  private static let frameCapacity = 4096

  /// The number of filled blocks.
  private let blockCount = Atomic<Int>(0)
  /// The time from a block's timestamp until it is audible, in nanoseconds.
  private let latency: Atomic<Int64>

  /// Creates a renderer for a device with these channels.
  ///
  /// `latency` is the time from a block's timestamp until the block is audible, and `lead` the time
  /// from the request for a block to its timestamp, both in nanoseconds.
  init(
    _ feed: PlaybackFeed, to channels: CoreAudioChannels, latency: Int64, lead: Int64,
    gate: DeviceGate, events: [DeviceEvent]
  ) {
    precondition(channels.inputCount == feed.format.channelCount)
    self.feed = feed
    self.channels = channels
    self.latency = Atomic(latency)
    self.gate = gate
    self.events = events
    timeline = CoreAudioTimeline(sampleRate: feed.format.sampleRate)
    clock = CoreAudioSoundClock(sampleRate: feed.format.sampleRate, lead: lead)
    unsafe frames = .allocate(capacity: Self.frameCapacity * channels.inputCount)
    unsafe frames.initialize(repeating: 0, count: Self.frameCapacity * channels.inputCount)
  }

  deinit {
    unsafe frames.deallocate()
  }

  // MARK: On the audio thread

  /// Fills a block from the feed, with silence for missing samples.
  ///
  /// Returns whether the block contains samples of the feed. `count` is the device's frame count
  /// before the block, and `stamp` is the time at which its first frame is passed to the hardware;
  /// either may be unknown. If the device has counted more frames than it requested, it was not
  /// served in time, and played silence.
  func fill(
    _ output: UnsafeMutablePointer<Float>, frameCount: Int, count: Double?,
    stamp: CoreAudioSoundClock.PresentationStamp?
  ) -> Bool {
    guard gate.isOpen else {
      unsafe output.update(repeating: 0, count: frameCount * channels.outputCount)
      return false
    }
    if !hasAnnounced {
      hasAnnounced = true
      for event in events { feed.notify(event) }
    }
    let lost = timeline.lostFrameCount(before: frameCount, count: count, time: stamp?.time)
    // In a pause and after the end, silence is expected.
    if lost > 0 && isSounding { feed.countUnderrun(missingFrameCount: lost) }
    let time =
      clock.time(ofNext: frameCount, stamp, now: System.nanoseconds)
      + latency.load(ordering: .relaxed)
    var isAudible = false
    var done = 0
    while done < frameCount {
      let destination = unsafe output + done * channels.outputCount
      let wanted =
        channels.areSame ? frameCount - done : min(frameCount - done, Self.frameCapacity)
      let taken = unsafe feed.read(
        into: UnsafeMutableBufferPointer(
          start: channels.areSame ? destination : frames, count: wanted * channels.inputCount))
      if taken > 0 {
        isAudible = true
        feed.recordPresentation(
          frame: feed.consumedFrameCount - taken, soundsAt: time + clock.duration(of: done))
      }
      if !channels.areSame { unsafe channels.mix(frames, into: destination, frameCount: wanted) }
      isSounding = taken == wanted
      done += wanted
    }
    blockCount.add(1)
    return isAudible
  }

  // MARK: On the controlling thread

  /// A number that keeps changing while samples are requested.
  var progress: Int { blockCount.load(ordering: .acquiring) }

  /// Always 0: blocks of any length are filled.
  var neededFrameCount: Int { 0 }

  /// Always nil: filling a block cannot fail.
  var failure: CoreAudioStatus? { nil }

  /// Uses another latency from the next block on.
  func update(latency: Int64) {
    self.latency.store(latency, ordering: .relaxed)
  }
}

/// Computes the times at which the blocks of a unit are passed to the hardware.
///
/// A unit that converts the rate may request several blocks for one cycle of the device, all with
/// the same timestamp. These blocks play in the order of the requests.
struct CoreAudioSoundClock {
  /// The time at which a device passes on the first frame of a block.
  struct PresentationStamp {
    /// In the device's own unit.
    var ticks: UInt64
    /// By the monotonic clock, in nanoseconds.
    var time: Int64
  }

  private let sampleRate: Int
  /// The time from the request for a block to its timestamp, in nanoseconds.
  private let lead: Int64
  private var lastTicks: UInt64?
  /// The time at which the frame after the last requested one is passed on.
  private var nextTime: Int64 = 0

  /// Creates a clock for frames of this rate.
  init(sampleRate: Int, lead: Int64) {
    self.sampleRate = sampleRate
    self.lead = lead
  }

  /// Returns the time at which the first of the next frames is passed to the hardware.
  ///
  /// `now` is the time of the request. A timestamp earlier than `now` is not used.
  mutating func time(ofNext frameCount: Int, _ stamp: PresentationStamp?, now: Int64) -> Int64 {
    let time: Int64
    if let stamp {
      time = stamp.ticks == lastTicks ? nextTime : max(stamp.time, now)
    } else {
      time = now + lead
    }
    lastTicks = stamp?.ticks
    nextTime = time + duration(of: frameCount)
    return time
  }

  /// Returns the duration of frames, in nanoseconds.
  func duration(of frameCount: Int) -> Int64 {
    System.nanoseconds(ofFrames: Int64(frameCount), at: sampleRate)
  }
}

/// The parts of the latency between a program and audible sound, in frames of a device.
///
///     request ──block, safety offset──► timestamp ──device, stream──► audible    playing
///     sound ──device, stream──► timestamp                                        capturing
struct CoreAudioLatency: Equatable {
  /// The latency of the device itself.
  var device: UInt32 = 0
  /// The additional latency of the device's stream.
  var stream: UInt32 = 0
  /// The distance that the system keeps from the hardware's position.
  var safetyOffset: UInt32 = 0
  /// The number of frames per block.
  var block: UInt32 = 0

  /// Returns the time between a block's timestamp and its sound, in nanoseconds.
  func afterTimestamp(sampleRate: Int) -> Int64 {
    System.nanoseconds(ofFrames: Int64(device) + Int64(stream), at: sampleRate)
  }

  /// Returns the time from the request for a block to its timestamp, in nanoseconds.
  ///
  /// The timestamp of a block to play already includes this time. So the time is needed only for a
  /// block without a timestamp.
  func beforeTimestamp(sampleRate: Int) -> Int64 {
    System.nanoseconds(ofFrames: Int64(safetyOffset) + Int64(block), at: sampleRate)
  }
}
