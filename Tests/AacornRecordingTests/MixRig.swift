import AacornDevices

@testable import AacornRecording

/// A mix of a leader and signals, of which a test feeds the leader and the first signal.
struct MixRig {
  static let configuration = RecordingConfiguration.stereo(.float32)

  var mixdown: Mixdown
  /// The mixed samples, and the contribution of each track if they are kept.
  var mixed: [Float] = []
  var parts: [[Float]] = [[], []]
  private var leaderFrame = 0
  private var followerFrame = 0

  init(_ settings: [TrackConfiguration], keepsTracks: Bool = false) throws {
    let configuration = Self.configuration
    mixdown = try Mixdown(
      SourceTrack(
        configuration, followsClock: true, effects: configuration.rack(of: settings[0].effects)),
      settings.dropFirst().map { track in
        try FollowerTrack(
          track, configuration, pace: .mix, effects: configuration.rack(of: track.effects))
      }, settings: settings, configuration: configuration, keepsTracks: keepsTracks)
  }

  /// Delivers frames of both tracks, and returns the mix of all available frames.
  @discardableResult
  mutating func mix(_ leader: [Float], _ follower: [Float]) throws -> [Float] {
    mixdown.leader.accept(
      CaptureBlock(of: leader, at: leaderFrame), leader, from: nil)
    mixdown.followers[0].accept(
      CaptureBlock(of: follower, at: followerFrame), follower, at: mixdown.position)
    leaderFrame += leader.count / 2
    followerFrame += follower.count / 2
    return try takeAll()
  }

  @discardableResult
  mutating func mix(_ leader: Float, _ follower: Float, frames: Int) throws -> [Float] {
    try mix(constant(leader, 2 * frames), constant(follower, 2 * frames))
  }

  /// Ends both tracks, and mixes all remaining frames.
  mutating func end() throws {
    mixdown.followers[0].accept(CaptureBlock(.ended, time: 0), [], at: mixdown.position)
    mixdown.end(at: nil)
    _ = try takeAll()
  }

  private mutating func takeAll() throws -> [Float] {
    let piece = try mixdown.takeAll(&parts)
    mixed += piece
    return piece
  }
}

extension Mixdown {
  /// Returns the mix of all available frames, and appends the contributions of the tracks.
  mutating func takeAll(_ parts: inout [[Float]]) throws -> [Float] {
    var (all, piece, hasWork): ([Float], [Float], Bool) = ([], [], true)
    while hasWork {
      hasWork = try advance()
      take(into: &piece)
      all += piece
      for index in self.parts.indices { parts[index] += self.parts[index] }
    }
    return all
  }

  /// Returns the mix of all available frames of tracks whose contributions are not kept.
  mutating func takeAll() throws -> [Float] {
    var parts: [[Float]] = []
    return try takeAll(&parts)
  }
}

extension CaptureBlock {
  /// A block of a device whose frame 0 is captured at time 0.
  init(of samples: [Float], at frame: Int, channels: Int = 2, rate: Int = 48_000) {
    self.init(
      frameCount: samples.count / channels, channelCount: channels, sampleRate: rate,
      time: Int64(frame) * 1_000_000_000 / Int64(rate))
  }
}
