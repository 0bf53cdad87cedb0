#if os(Linux)
import AacornDevices
import AacornSystem
import SoundRigs

/// A playback of frames with numbers, from 1 on, and what its target tells.
final class NumberedPlayback {
  let target: any PlaybackTarget
  let feed: PlaybackFeed
  /// What the target told.
  private(set) var notices: [PlaybackNotice] = []
  private var next = 1
  private let samples: (Int) -> [Float]

  /// Begins to play, after so many frames of silence; `samples` makes a frame of its number.
  init(
    _ target: any PlaybackTarget,
    _ format: PlaybackFormat = PlaybackFormat(sampleRate: 48000, channelCount: 2),
    silence: Int = 0, _ samples: @escaping (Int) -> [Float]
  ) throws {
    self.target = target
    self.samples = samples
    // Most of what a busy machine may have other things to do than to write.
    feed = PlaybackFeed(format, frameCapacity: 2 * format.sampleRate)
    let nothing = [Float](repeating: 0, count: silence * format.channelCount)
    _ = feed.write(nothing.span)
    tend()
    try target.start(feed)
  }

  deinit {
    target.stop()
  }

  /// The notices without those of a device that sleeps, for which a busy machine may be taken.
  var changes: [PlaybackNotice] { notices.filter { $0 != .suspended && $0 != .resumed } }

  /// Fills the feed, and takes what the target tells.
  func tend() {
    while let notice = feed.takeNotice() { notices.append(notice) }
    while feed.freeFrameCount >= 480 {
      var block: [Float] = []
      for frame in next..<next + 480 { block += samples(frame) }
      next += feed.write(block.span)
    }
  }

  /// Tends the feed until something is so; false if it never is.
  @discardableResult
  func tend(until isDone: () -> Bool) -> Bool {
    let deadline = System.seconds + Patience.seconds
    while System.seconds < deadline {
      tend()
      if isDone() { return true }
      _ = feed.waitForDevice(milliseconds: 20)
    }
    return isDone()
  }

  /// Tends the feed until so many frames more were taken; false if they never are.
  func play(_ frameCount: Int = 24_000) -> Bool {
    let count = feed.takenFrameCount + frameCount
    return tend { feed.takenFrameCount >= count }
  }
}
#endif
