import AacornSystem
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

/// A playback of numbered frames on a simulated machine; time passes when the test says so.
final class SimulatedPlayback {
  let target: any PlaybackTarget
  let feed: PlaybackFeed
  private(set) var notices: [PlaybackNotice] = []
  private var next = 0

  /// Begins to play.
  init(
    _ request: PlaybackRequest = PlaybackRequest(), sampleRate: Int = 48_000, channelCount: Int = 2,
    sharing choice: CoreAudioSessionChoice = .init()
  ) throws {
    target = try CoreAudioPlaybackSystem.makeTarget(request, sharing: choice)
    feed = PlaybackFeed(
      PlaybackFormat(sampleRate: sampleRate, channelCount: channelCount),
      frameCapacity: 4 * sampleRate)
    tend()
    try target.start(feed)
  }

  deinit {
    target.stop()
  }

  /// Writes what there is room for, and takes what the target tells.
  func tend() {
    while let notice = feed.takeNotice() { notices.append(notice) }
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

  /// Lets blocks pass.
  func step(_ count: Int = 1) {
    for _ in 0..<count {
      SimulatedUnits.step()
      tend()
    }
  }

  /// Lets time pass until something is so; false if it never is.
  func step(until isDone: () -> Bool) -> Bool {
    let deadline = System.seconds + patienceSeconds
    while System.seconds < deadline {
      if isDone() { return true }
      step()
      System.sleep(milliseconds: 1)
    }
    return isDone()
  }

  /// Waits until it has been told something, without time for units.
  func isTold(_ notice: PlaybackNotice) -> Bool {
    comesTrue {
      tend()
      return notices.contains(notice)
    }
  }

  /// Whether these are frames of the feed from this one on, none missing, none twice.
  func areFrames(_ samples: [Float], from first: Int) -> Bool {
    let channelCount = feed.format.channelCount
    return !samples.isEmpty
      && samples.indices.allSatisfy { index in
        samples[index]
          == CounterSignal.value(
            frame: first + index / channelCount, channel: index % channelCount)
      }
  }

  /// Stops, and looks whether all is left in order.
  func stop(_ location: SourceLocation = #_sourceLocation) {
    target.stop()
    tend()
    expectOrder(location)
  }
}
