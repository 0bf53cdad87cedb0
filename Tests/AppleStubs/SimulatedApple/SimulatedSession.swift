package struct SimulatedSession: Sendable, Equatable {
  package var category = "AVAudioSessionCategorySoloAmbient"
  package var mode = "AVAudioSessionModeDefault"
  package var options: UInt = 0
  package var isActive = false
  package var preferredSampleRate = 0.0
  package var preferredBlockDuration = 0.0
  package var preferredInputID: String?
  package var preferredInputChannelCount = 0
  /// The names of the preferred sources, by the identifier of the port.
  package var preferredSource: [String: String] = [:]
  /// The preferred patterns, by the name of the source.
  package var preferredPattern: [String: String] = [:]
  package var preferredOrientation = 0
  package var avoidsAlerts = false
  package var allowsHaptics = false
  package var inputGain: Float = 0.5

  package init() {}

  /// Whether the category has an input.
  package var captures: Bool { ["PlayAndRecord", "Record", "MultiRoute"].contains(shortCategory) }
  /// Whether the category plays.
  package var plays: Bool { shortCategory != "Record" }
  /// Whether other apps' music continues.
  package var mixes: Bool { options & 0x1 != 0 || shortCategory == "Ambient" }

  var shortCategory: String { String(category.dropFirst("AVAudioSessionCategory".count)) }
  var shortMode: String { String(mode.dropFirst("AVAudioSessionMode".count)) }
}

package enum SimulatedSessionError {
  package static let badParameter = -50
  /// '!pri': another owner of the audio has a higher priority.
  package static let insufficientPriority = 0x2170_7269
  /// '!int'.
  package static let cannotInterruptOthers = 0x2169_6E74
  /// '!rec'.
  package static let cannotStartRecording = 0x2172_6563
  /// '!act': the session was deactivated while units ran; they were stopped.
  package static let isBusy = 0x2161_6374
  /// 'msrv'.
  package static let mediaServicesFailed = 0x6D73_7276
}

/// An error thrown by a call of the session, with the code of Apple's `NSError`.
package enum SimulatedError: Error {
  case code(Int)

  package var _domain: String { "NSOSStatusErrorDomain" }
  package var _code: Int {
    switch self {
    case .code(let code): code
    }
  }
}
