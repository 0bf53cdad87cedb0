/// The values of an app's audio session.
package struct SimulatedSession: Sendable, Equatable {
  package var category = "AVAudioSessionCategorySoloAmbient"
  package var mode = "AVAudioSessionModeDefault"
  package var options: UInt = 0
  package var isActive = false
  package var preferredSampleRate = 0.0
  package var preferredBlockDuration = 0.0
  package var preferredInputID: String?
  package var preferredInputChannelCount = 0
  /// By the id of a port.
  package var preferredSource: [String: String] = [:]
  /// By the name of a source.
  package var preferredPattern: [String: String] = [:]
  package var preferredOrientation = 0
  package var avoidsAlerts = false
  package var allowsHaptics = false
  package var inputGain: Float = 0.5

  package init() {}

  /// Whether the category takes sound in.
  package var captures: Bool { ["PlayAndRecord", "Record", "MultiRoute"].contains(shortCategory) }
  /// Whether the category plays.
  package var plays: Bool { shortCategory != "Record" }
  /// Whether other apps' music goes on.
  package var mixes: Bool { options & 0x1 != 0 || shortCategory == "Ambient" }

  var shortCategory: String { String(category.dropFirst("AVAudioSessionCategory".count)) }
  var shortMode: String { String(mode.dropFirst("AVAudioSessionMode".count)) }
}

/// The session's errors, from AVAudioSessionTypes.h.
package enum SimulatedSessionError {
  package static let badParameter = -50
  /// '!pri': something else has the sound, and more right to it.
  package static let insufficientPriority = 0x2170_7269
  /// '!int'.
  package static let cannotInterruptOthers = 0x2169_6E74
  /// '!rec'.
  package static let cannotStartRecording = 0x2172_6563
  /// '!act': it was deactivated while units ran, which were stopped.
  package static let isBusy = 0x2161_6374
  /// 'msrv'.
  package static let mediaServicesFailed = 0x6D73_7276
}

/// What a call of the session throws; its number is the code of the `NSError` that Apple's throws.
package enum SimulatedError: Error {
  case code(Int)

  package var _domain: String { "NSOSStatusErrorDomain" }
  package var _code: Int {
    switch self {
    case .code(let code): code
    }
  }
}
