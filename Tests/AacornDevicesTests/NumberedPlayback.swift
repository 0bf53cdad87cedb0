#if os(Linux)
import AacornDevices
import AacornSystem
import SoundRigs

/// A playback of numbered frames, starting with 1, and the events of its target.
final class NumberedPlayback {
  let target: any PlaybackTarget
  let feed: PlaybackFeed
  /// The events of the target.
  private(set) var events: [DeviceEvent] = []
  private var next = 1
  private let samples: (Int) -> [Float]

  /// Starts playback after `silence` frames of silence; `samples` converts a frame number to a
  /// frame.
  init(
    _ target: any PlaybackTarget,
    _ format: PlaybackFormat = PlaybackFormat(sampleRate: 48000, channelCount: 2),
    silence: Int = 0, _ samples: @escaping (Int) -> [Float]
  ) throws {
    self.target = target
    self.samples = samples
    // Enough for the time that a busy machine may not write.
    feed = PlaybackFeed(format, frameCapacity: 2 * format.sampleRate)
    let nothing = [Float](repeating: 0, count: silence * format.channelCount)
    _ = feed.write(nothing.span)
    tend()
    try target.start(feed)
  }

  deinit {
    target.stop()
  }

  /// The events, except for suspensions, which a busy machine may cause.
  var changes: [DeviceEvent] { events.filter { $0 != .suspended && $0 != .resumed } }

  /// Fills the feed, and reads the events of the target.
  func tend() {
    while let event = feed.nextEvent() { events.append(event) }
    while feed.freeFrameCount >= 480 {
      var block: [Float] = []
      for frame in next..<next + 480 { block += samples(frame) }
      next += feed.write(block.span)
    }
  }

  /// Fills the feed until `isDone` returns true; returns false on timeout.
  @discardableResult
  func tend(until isDone: () -> Bool) -> Bool {
    let deadline = System.seconds + TestTimeout.seconds
    while System.seconds < deadline {
      tend()
      if isDone() { return true }
      _ = feed.waitForDevice(milliseconds: 20)
    }
    return isDone()
  }

  /// Fills the feed until the target has read another `frameCount` frames; returns false on
  /// timeout.
  func play(_ frameCount: Int = 24_000) -> Bool {
    let count = feed.consumedFrameCount + frameCount
    return tend { feed.consumedFrameCount >= count }
  }
}
#endif
