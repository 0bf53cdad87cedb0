import AacornDevices
import AacornSignal
import Testing

@testable import AacornRecording

@Suite struct MixdownTests {
  private static let configuration = MixRig.configuration

  private static func track() -> SourceTrack {
    SourceTrack(configuration, followsClock: false)
  }

  @Test func tracksAreAddedAsFarAsAllHaveCome() throws {
    let leader = SourceTrack(Self.configuration, followsClock: true)
    let settings = [TrackConfiguration("one"), TrackConfiguration("other")]
    let other = FollowerTrack(settings[1], Self.configuration, pace: .mix)
    var mixdown = Mixdown(leader, [other], settings: settings, configuration: Self.configuration)
    mixdown.leader.feed(0.25, from: 0, frames: 480)
    var mixed = try mixdown.takeAll()
    #expect(mixed.isEmpty, "The mix waits for the other track.")
    mixdown.followers[0].feed(0.5, from: 0, frames: 300)
    mixed = try mixdown.takeAll()
    #expect(mixed == constant(0.75, 600))
    mixdown.followers[0].feed(-0.25, from: 300, frames: 300)
    mixed = try mixdown.takeAll()
    #expect(mixed == constant(0, 360))
    // A track that has ended is silent from then on.
    mixdown.followers[0].accept(CaptureBlock(.ended, time: 0), [], at: mixdown.position)
    mixdown.leader.feed(0.5, from: 480, frames: 220)
    mixed = try mixdown.takeAll()
    #expect(mixed == constant(0.25, 240) + constant(0.5, 200))
    // The end of the leader ends the mix.
    #expect(!mixdown.hasEnded)
    mixdown.leader.hasEnded = true
    #expect(mixdown.hasEnded)
  }

  @Test func failedDeviceReportsErrorAgainOnStart() {
    var other = FollowerTrack(TrackConfiguration("other"), Self.configuration, pace: .clock)
    func failureCount(_ track: inout FollowerTrack) -> Int {
      track.takeEvents(at: 0, isCut: false, wallTime: 0).count { item in
        if case .trackFailed("other", _) = item { true } else { false }
      }
    }
    other.accept(CaptureBlock(.failed, time: 0), [], at: 0)
    let first = failureCount(&other)
    other.start(at: 480)
    let second = failureCount(&other)
    let third = failureCount(&other)
    #expect([first, second, third] == [1, 1, 0])
  }

  @Test func anHourOfSilenceIsNeverInMemoryAtOnce() throws {
    var track = Self.track()
    track.feed(0.25, from: 0, frames: 480)
    // The device itself reports the loss of an hour.
    let block = CaptureBlock(
      frameCount: 480, channelCount: 2, sampleRate: 48_000,
      time: Int64(480 + 172_800_000) * 1_000_000_000 / 48_000, lostFrameCount: 172_800_000)
    track.accept(block, [Float](repeating: 0.5, count: 960), from: nil)
    var mixdown = Mixdown(track)
    var (count, largest, piece): (Int, Int, [Float]) = (0, 0, [])
    while try mixdown.advance() {
      mixdown.take(into: &piece)
      count += piece.count / 2
      largest = max(largest, piece.count / 2)
    }
    #expect(count == 172_800_960)
    #expect(largest <= 4096)
  }
}

extension FollowerTrack {
  /// Accepts a block of two channels with a constant value in all samples.
  mutating func feed(_ value: Float, from first: Int, frames: Int) {
    let samples = constant(value, 2 * frames)
    accept(CaptureBlock(of: samples, at: first), samples, at: 0)
  }
}

extension SourceTrack {
  /// Accepts a block of two channels with a constant value in all samples.
  mutating func feed(_ value: Float, from first: Int, frames: Int) {
    let samples = constant(value, 2 * frames)
    accept(CaptureBlock(of: samples, at: first), samples, from: nil)
  }
}
