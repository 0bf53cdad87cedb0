import AacornSystem

/// Fills the blocks of one unit from the program's feed, on the audio thread.
///
/// The audio thread also sends the events that precede the first samples, once the device requests
/// samples. So a device that starts without playing is never reported as returned. The feed has one
/// reader at a time: the audio thread while the unit runs, no thread between units.
@safe
final class CoreAudioFeedRenderer: CoreAudioFlow {
  private let feed: PlaybackFeed
  private let gate: CoreAudioGate
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
    gate: CoreAudioGate, events: [DeviceEvent]
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
