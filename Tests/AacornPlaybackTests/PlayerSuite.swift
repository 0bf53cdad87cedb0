import AacornDevices
import AacornRecording
import SoundRigs
import Testing

@testable import AacornPlayback

/// A suite whose tests play files and streams on a loudspeaker that they control.
protocol PlayerSuite {
  var files: PlayedFiles { get }
  var listener: PlayerListener { get }
  var target: PumpedTarget { get }
}

extension PlayerSuite {
  func session(
    _ paths: [String], on target: PumpedTarget? = nil,
    _ change: (inout PlayerConfiguration) -> Void = { _ in }
  ) -> PlayerSession {
    var configuration = PlayerConfiguration()
    change(&configuration)
    let listener = listener
    return PlayerSession(
      playing: paths.map { PlaylistItem($0) }, on: .target(target ?? self.target), configuration
    ) { listener.take($0) }
  }

  func session(
    _ paths: [String], effects: String, _ change: (inout PlayerConfiguration) -> Void = { _ in }
  ) throws -> PlayerSession {
    let chain = effects.isEmpty ? [] : try EffectDescription.parse(effects)
    return session(paths) { configuration in
      configuration.effects = chain
      change(&configuration)
    }
  }

  /// Plays frames until `condition` returns true; returns false on timeout.
  func pump(
    _ target: PumpedTarget? = nil, by count: Int = 256, until condition: () -> Bool
  ) -> Bool {
    eventually {
      if condition() { return true }
      // Play all available frames, so that a test does not last as long as its audio.
      while (target ?? self.target).pump(count) == count, !condition() {}
      return condition()
    }
  }

  @discardableResult
  func playToTheEnd(
    _ session: PlayerSession, on target: PumpedTarget? = nil
  ) throws -> PlayerSummary {
    try session.start()
    #expect(pump(target) { listener.hasStopped })
    return try #require(session.summary)
  }

  /// Stops a playback, and waits for its last event.
  func stop(_ session: PlayerSession) {
    session.stop()
    #expect(eventually { listener.hasStopped })
  }

  /// Expects that a playback does not start, and returns the message of the error.
  func startError(_ session: PlayerSession) -> String? {
    let error = #expect(throws: PlayerError.self) { try session.start() }
    #expect(target.feed == nil)
    return error?.message
  }
}
