/// A phone (or tablet) with one app, as that app's frameworks see it: ports, the audio session, other
/// apps, calls, and a person who is asked for the microphone.
///
/// It is scripted by tests: what happens, happens on the thread that says so, and when the call
/// returns everybody has been told.
package enum SimulatedPhone {
  static let content = Guarded(Content())

  /// What a phone is like.
  struct Content: Sendable {
    var session = SimulatedSession()
    /// What is plugged in or connected, the last one last.
    var inputs: [SimulatedPort] = [.builtInMicrophone]
    var outputs: [SimulatedPort] = [.receiver, .speaker]
    var permission = SimulatedPermission.granted
    var questions: [@Sendable (Bool) -> Void] = []
    /// What else has the sound, which nobody may interrupt.
    var isInCall = false
    var isServiceLost = false
    var isInBackground = false
    /// Whether it is dark, and so saves power by long blocks.
    var isLocked = false
    /// Another app that plays music.
    var music = SimulatedMusic.off
    /// What the next calls of the session fail with, by their names.
    var failures: [String: Int] = [:]
    var calls: [String] = []
    var unitChanges = SimulatedUnitChanges()
  }

  /// Makes it new, as if it had just been bought.
  package static func reset() {
    SimulatedUnits.reset()
    content.change { $0 = Content() }
  }

  // MARK: What can be seen

  /// The calls that changed the session or tried to, in order.
  package static var calls: [String] { content.change(\.calls) }
  /// The session as it is.
  package static var session: SimulatedSession { content.change(\.session) }
  /// Whether another app plays.
  package static var music: SimulatedMusic { content.change(\.music) }
  /// Whether the person is being asked.
  package static var isAsking: Bool { content.change { !$0.questions.isEmpty } }
  /// Who may record.
  package static var permission: SimulatedPermission { content.change(\.permission) }
  /// The port that sound comes from.
  package static var input: SimulatedPort? { content.change { $0.input } }
  /// The port that sound goes to.
  package static var output: SimulatedPort? { content.change { $0.output } }
  /// Frames in a block.
  package static var blockFrameCount: Int { content.change { $0.blockFrameCount } }
}

/// The answers to the question for the microphone.
package enum SimulatedPermission: Sendable {
  case undetermined
  case denied
  case granted
}

/// Another app that plays music.
package enum SimulatedMusic: Sendable {
  case off
  case playing
  /// Silenced by a session that does not mix.
  case paused
  /// Silenced by a call, after which it goes on by itself.
  case interrupted
}

/// What goes wrong with units.
package struct SimulatedUnitChanges: Sendable {
  /// What `AudioUnitRender` fails with; 0 if it works.
  package var renderStatus: Int32 = 0
  /// What `AudioUnitInitialize` fails with.
  package var initializeStatus: Int32 = 0
  /// What `AudioOutputUnitStart` fails with.
  package var startStatus: Int32 = 0
  /// Whether units claim to run and call nobody.
  package var isStalled = false
  /// Frames in a block, whatever was asked for; nil as was asked for.
  package var blockFrameCount: Int?
  /// Whether there is a unit for voice processing.
  package var hasVoiceProcessing = true

  package init() {}
}
