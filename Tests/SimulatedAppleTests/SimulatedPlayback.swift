import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

/// A playback of numbered frames on a simulated machine; the test advances time.
final class SimulatedPlayback {
  let target: any PlaybackTarget
  let feed: PlaybackFeed
  private(set) var events: [DeviceEvent] = []
  private var next = 0

  /// Starts to play, and advances time by `count` blocks.
  init(
    _ request: PlaybackRequest = PlaybackRequest(), sampleRate: Int = 48_000, channelCount: Int = 2,
    sharing choice: CoreAudioSessionOptions = .init(), stepping count: Int = 0
  ) throws {
    target = try CoreAudioSystem.makeTarget(request, sharing: choice)
    feed = PlaybackFeed(
      PlaybackFormat(sampleRate: sampleRate, channelCount: channelCount),
      frameCapacity: 4 * sampleRate)
    tend()
    try target.start(feed)
    step(count)
  }

  deinit {
    target.stop()
  }

  /// Fills the feed, and reads the events of the target.
  func tend() {
    while let event = feed.nextEvent() { events.append(event) }
    let channelCount = feed.format.channelCount
    while feed.freeFrameCount >= 480 {
      var block: [Float] = []
      for frame in next..<next + 480 {
        for channel in 0..<channelCount {
          block.append(CounterSignal.value(frame: frame, channel: channel))
        }
      }
      next += feed.write(block.span)
    }
  }

  /// Advances time by blocks.
  func step(_ count: Int = 1) {
    for _ in 0..<count {
      SimulatedUnits.step()
      tend()
    }
  }

  /// Advances time until `isDone` returns true; returns false on timeout.
  func step(until isDone: () -> Bool) -> Bool { eventually(isDone) { step() } }

  /// Waits, without advancing time, until `event` has arrived.
  func eventuallyReports(_ event: DeviceEvent) -> Bool {
    eventually {
      tend()
      return events.contains(event)
    }
  }

  /// Returns whether these are the feed's frames from `first` on, without loss or repetition.
  func areFrames(_ samples: [Float], from first: Int) -> Bool {
    let channelCount = feed.format.channelCount
    return !samples.isEmpty
      && samples.indices.allSatisfy { index in
        samples[index]
          == CounterSignal.value(
            frame: first + index / channelCount, channel: index % channelCount)
      }
  }

  /// Stops the playback, and expects that nothing is left open; see `expectOrder`.
  func stop(_ location: SourceLocation = #_sourceLocation) {
    target.stop()
    tend()
    expectOrder(location)
  }
}
