/// A phone (or tablet) with one app, as the app's frameworks see it: ports, the audio session,
/// other apps, calls, and a user who is asked for the microphone.
///
/// Tests script it. Each event happens on the calling thread, and all observers have been notified
/// when the call returns.
package enum SimulatedPhone {
  static let content = Guarded(Content())

  /// The state of a phone.
  struct Content: Sendable {
    var session = SimulatedSession()
    /// The connected inputs, the latest one last.
    var inputs: [SimulatedPort] = [.builtInMicrophone]
    var outputs: [SimulatedPort] = [.receiver, .speaker]
    var permission = SimulatedPermission.granted
    var questions: [@Sendable (Bool) -> Void] = []
    /// Whether a call owns the audio, which no app may interrupt.
    var isInCall = false
    var isServiceLost = false
    var isInBackground = false
    /// Whether the screen is off, which saves power by using long blocks.
    var isLocked = false
    /// The music of another app.
    var music = SimulatedMusic.off
    var calls: [String] = []
    var unitChanges = SimulatedUnitChanges()
  }

  /// Resets the phone to the state of a new one.
  package static func reset() {
    SimulatedUnits.reset()
    content.change { $0 = Content() }
  }

  // MARK: Observed state

  /// The calls that changed the session or tried to, in order.
  package static var calls: [String] { content.change(\.calls) }
  /// The current session.
  package static var session: SimulatedSession { content.change(\.session) }
  /// The state of another app's music.
  package static var music: SimulatedMusic { content.change(\.music) }
  /// Whether the user is being asked for the microphone.
  package static var isAsking: Bool { content.change { !$0.questions.isEmpty } }
  /// The permission to record.
  package static var permission: SimulatedPermission { content.change(\.permission) }
  /// The current input port.
  package static var input: SimulatedPort? { content.change { $0.input } }
  /// The current output port.
  package static var output: SimulatedPort? { content.change { $0.output } }
  /// The number of frames in a block.
  package static var blockFrameCount: Int { content.change { $0.blockFrameCount } }
}

/// The user's decision about the microphone.
package enum SimulatedPermission: Sendable {
  case undetermined
  case denied
  case granted
}

/// The state of another app's music.
package enum SimulatedMusic: Sendable {
  case off
  case playing
  /// Silenced by a session that does not mix.
  case paused
  /// Silenced by a call; resumes when the call ends.
  case interrupted
}

/// The simulated failures of units.
package struct SimulatedUnitChanges: Sendable {
  /// The error code of `AudioUnitRender`; 0 if it works.
  package var renderStatus: Int32 = 0
  /// The error code of `AudioUnitInitialize`.
  package var initializeStatus: Int32 = 0
  /// The error code of `AudioOutputUnitStart`.
  package var startStatus: Int32 = 0
  /// Whether units claim to run but never call back.
  package var isStalled = false
  /// The frames in a block, overriding the request of the app; nil to use the request.
  package var blockFrameCount: Int?
  /// Whether the voice-processing unit exists.
  package var hasVoiceProcessing = true

  package init() {}
}
