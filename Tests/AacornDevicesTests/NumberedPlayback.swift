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

  /// Starts playback; `samples` converts a frame number to a frame.
  init(
    _ target: any PlaybackTarget,
    _ format: PlaybackFormat = PlaybackFormat(sampleRate: 48000, channelCount: 2),
    _ samples: @escaping (Int) -> [Float] = NumberedPlayback.stereo
  ) throws {
    self.target = target
    self.samples = samples
    // Enough for the time that a busy machine may not write.
    feed = PlaybackFeed(format, frameCapacity: 2 * format.sampleRate)
    tend()
    try target.start(feed)
  }

  deinit {
    target.stop()
  }

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

/// Playback that the test captures from a real server.
extension NumberedPlayback {
  /// A frame of two channels with the low 15 bits of its number on the left and the high bits on
  /// the right.
  static func stereo(_ number: Int) -> [Float] {
    [Float(number & 0x7FFF) * 0x1p-15, Float(number >> 15) * 0x1p-15]
  }

  /// Plays until a capture has a second of consecutive frames; returns false on timeout.
  ///
  /// A busy machine may insert silence, and lose frames before that second.
  func isCaptured(by sink: CaptureSink) -> Bool {
    var run = NumberRun()
    return tend {
      var samples: [Float] = []
      while sink.read(into: &samples, milliseconds: 0) != nil {}
      for index in stride(from: 0, to: samples.count - 1, by: 2) {
        run.append(Int(samples[index] * 0x1p15) | Int(samples[index + 1] * 0x1p15) << 15)
      }
      return run.maxCount >= 48_000
    }
  }

  /// Plays until the target and a capture report a lost device; returns false on timeout.
  func hasLostItsDevice(and sink: CaptureSink) -> Bool {
    var isCaptureLost = false
    return tend {
      var samples: [Float] = []
      while let block = sink.read(into: &samples, milliseconds: 0) {
        if block.event == .deviceLost { isCaptureLost = true }
      }
      return isCaptureLost && events.contains(.deviceLost)
    }
  }
}
#endif
