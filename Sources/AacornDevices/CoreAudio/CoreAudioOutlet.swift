import AacornSystem

/// Fills the blocks of one unit from the program's feed; this part runs on the audio thread.
///
/// The same thread sends the notices that belong before the first samples, once the device really
/// asks for some. So a device that starts without playing is never reported as returned, and the
/// feed has one reader at a time: this thread while the unit runs, nobody between units.
@safe
final class CoreAudioOutlet: CoreAudioFlow {
  private let feed: PlaybackFeed
  private let gate: CoreAudioGate
  private let notices: [PlaybackNotice]
  private let channels: CoreAudioChannels
  private var timeline: CoreAudioTimeline
  private var clock: CoreAudioSoundClock
  private var hasAnnounced = false
  /// Whether the last frame was one of the feed's.
  private var isSounding = false
  /// Frames of the feed before they are mixed.
  private let frames: UnsafeMutablePointer<Float>
  /// As many as most units ever ask for at a time.
  private static let frameCapacity = 4096

  /// Blocks filled so far.
  private let blockCount = Atomic<Int>(0)
  /// From a block's timestamp to the air, in nanoseconds.
  private let latency: Atomic<Int64>

  /// An outlet for a device with these channels.
  ///
  /// `latency` is that from a block's timestamp to the air, and `lead` that from the moment in which
  /// a block is asked for to its timestamp.
  init(
    _ feed: PlaybackFeed, to channels: CoreAudioChannels, latency: Int64, lead: Int64,
    gate: CoreAudioGate, notices: [PlaybackNotice]
  ) {
    precondition(channels.inputCount == feed.format.channelCount)
    self.feed = feed
    self.channels = channels
    self.latency = Atomic(latency)
    self.gate = gate
    self.notices = notices
    timeline = CoreAudioTimeline(sampleRate: feed.format.sampleRate)
    clock = CoreAudioSoundClock(sampleRate: feed.format.sampleRate, lead: lead)
    unsafe frames = .allocate(capacity: Self.frameCapacity * channels.inputCount)
    unsafe frames.initialize(repeating: 0, count: Self.frameCapacity * channels.inputCount)
  }

  deinit {
    unsafe frames.deallocate()
  }

  // MARK: On the audio thread

  /// Fills a block with what the feed has, and silence where that is missing; returns whether there is
  /// anything but silence.
  ///
  /// `count` is the device's frame count before the block, and `stamp` tells when its first frame is
  /// passed to the hardware; either may be unknown. If the device has counted more frames than it
  /// asked for, it was not served in time, and nothing was heard.
  func fill(
    _ output: UnsafeMutablePointer<Float>, frameCount: Int, count: Double?,
    stamp: CoreAudioSoundClock.Stamp?
  ) -> Bool {
    guard gate.isOpen else {
      unsafe output.update(repeating: 0, count: frameCount * channels.outputCount)
      return false
    }
    if !hasAnnounced {
      hasAnnounced = true
      for notice in notices { feed.notify(notice) }
    }
    let lost = timeline.lostFrameCount(before: frameCount, count: count, time: stamp?.time)
    // In a pause and after the end, silence is missed by nobody.
    if lost > 0 && isSounding { feed.countUnderrun(missingFrameCount: lost) }
    let time =
      clock.time(ofNext: frameCount, stamp, now: System.nanoseconds)
      + latency.load(ordering: .relaxed)
    var isHeard = false
    var done = 0
    while done < frameCount {
      let place = unsafe output + done * channels.outputCount
      let wanted =
        channels.areSame ? frameCount - done : min(frameCount - done, Self.frameCapacity)
      let taken = unsafe feed.read(frameCount: wanted, into: channels.areSame ? place : frames)
      if taken > 0 {
        isHeard = true
        feed.note(frame: feed.takenFrameCount - taken, soundsAt: time + clock.duration(of: done))
      }
      if !channels.areSame { unsafe channels.mix(frames, into: place, frameCount: wanted) }
      isSounding = taken == wanted
      done += wanted
    }
    blockCount.add(1)
    return isHeard
  }

  // MARK: On the controlling thread

  /// A number that keeps changing while samples are asked for.
  var progress: Int { blockCount.load(ordering: .acquiring) }

  /// Always 0: blocks of any length are filled.
  var neededFrameCount: Int { 0 }

  /// Always nil: to fill a block cannot fail.
  var failure: CoreAudioStatus? { nil }

  /// Uses another latency from the next block on.
  func adopt(latency: Int64) {
    self.latency.store(latency, ordering: .relaxed)
  }
}
