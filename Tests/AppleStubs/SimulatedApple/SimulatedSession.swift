/// The values of an app's audio session.
public struct SimulatedSession: Sendable, Equatable {
  public var category = "AVAudioSessionCategorySoloAmbient"
  public var mode = "AVAudioSessionModeDefault"
  public var options: UInt = 0
  public var isActive = false
  public var preferredSampleRate = 0.0
  public var preferredBlockDuration = 0.0
  public var preferredInputID: String?
  public var preferredInputChannelCount = 0
  /// By the id of a port.
  public var preferredSource: [String: String] = [:]
  /// By the name of a source.
  public var preferredPattern: [String: String] = [:]
  public var preferredOrientation = 0

  public init() {}

  /// Whether the category takes sound in.
  public var captures: Bool { ["PlayAndRecord", "Record", "MultiRoute"].contains(shortCategory) }
  /// Whether the category plays.
  public var plays: Bool { shortCategory != "Record" }
  /// Whether other apps' music goes on.
  public var mixes: Bool { options & 0x1 != 0 || shortCategory == "Ambient" }

  var shortCategory: String { String(category.dropFirst("AVAudioSessionCategory".count)) }
  var shortMode: String { String(mode.dropFirst("AVAudioSessionMode".count)) }
}

/// The session's errors, from AVAudioSessionTypes.h.
public enum SimulatedSessionError {
  public static let badParameter = -50
  /// '!pri': something else has the sound, and more right to it.
  public static let insufficientPriority = 0x2170_7269
  /// '!int'
  public static let cannotInterruptOthers = 0x2169_6E74
  /// '!rec'
  public static let cannotStartRecording = 0x2172_6563
  /// '!act': it was deactivated while units ran, which were stopped.
  public static let isBusy = 0x2161_6374
  /// 'msrv'
  public static let mediaServicesFailed = 0x6D73_7276
}

/// What a call of the session throws; its number is the code of the `NSError` that Apple's throws.
public enum SimulatedError: Error {
  case code(Int)

  public var _domain: String { "NSOSStatusErrorDomain" }
  public var _code: Int {
    switch self {
    case .code(let code): code
    }
  }
}
