import AacornRecording
import AacornStreaming

/// One of several streams: what it takes from where to where, checked and ready to begin.
struct StreamEntry: Sendable {
  let name: String
  /// The line with its name.
  let line: Int
  let plan: StreamPlan
  let restart: RestartPolicy
  /// Everything that was said of it, in order.
  let settings: [Setting]

  /// An option with its value.
  struct Setting: Sendable, Equatable {
    var option: String
    var value: String
  }

  /// Whether there is no reason to begin anew for this description of the same stream.
  ///
  /// The same settings may mean something else: passwords, and effects in files of their own, may have
  /// changed.
  func isSame(as other: StreamEntry) -> Bool {
    settings == other.settings && restart == other.restart
      && plan.liveServers == other.plan.liveServers
      && plan.configuration.effects == other.plan.configuration.effects
      && plan.sound.tracks.map(\.configuration) == other.plan.sound.tracks.map(\.configuration)
  }
}

extension StreamPlan {
  /// The servers, with the credentials for them.
  fileprivate var liveServers: [LiveServer] {
    outputs.compactMap { output in
      if case .server(let server) = output { server } else { nil }
    }
  }
}
