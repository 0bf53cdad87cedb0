#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio
import AudioToolbox

/// The preferences of an app's audio session before this library changed them.
struct CoreAudioSessionPreferences: Sendable {
  /// The preferred sample rate in hertz; 0 for none.
  let sampleRate: Double
  /// The preferred block duration in seconds; 0 for none.
  let blockDuration: Double
  /// The id of the preferred input; nil for the system's choice.
  let inputID: String?
  /// Whether alerts of the system should not interrupt the session.
  let avoidsAlerts: Bool
  /// Whether the device may vibrate during capture.
  let allowsHaptics: Bool

  /// Reads the current preferences of a session.
  init(_ session: AVAudioSession) {
    sampleRate = session.preferredSampleRate
    blockDuration = session.preferredIOBufferDuration
    inputID = session.preferredInput?.uid
    avoidsAlerts = session.prefersNoInterruptionsFromSystemAlerts
    allowsHaptics = session.allowHapticsAndSystemSoundsDuringRecording
  }

  /// The preferences set by this library; nil for each preference that it has not changed.
  struct LibraryPreferences: Sendable {
    var sampleRate: Double?
    var blockDuration: Double?
    var inputID: String?
    var avoidsAlerts: Bool?
    var allowsHaptics: Bool?
    /// The gain that this library has set, and the previous gain.
    var inputGain: (set: Float, before: Float)?
    #if !os(tvOS)
    /// The setup of the built-in microphone before this library changed it.
    var microphone: CoreAudioMicrophoneSetup?
    #endif
  }

  /// Restores the preferences that can be set only while a session is active, in a category with
  /// inputs.
  ///
  /// A preference that the app has changed since stays unchanged.
  func restoreInput(to session: AVAudioSession, instead own: LibraryPreferences) {
    // Errors cannot be reported here, and leave the preference unchanged.
    if let gain = own.inputGain, session.isInputGainSettable, session.inputGain == gain.set {
      try? session.setInputGain(gain.before)
    }
    #if !os(tvOS)
    own.microphone?.restore(to: session)
    #endif
    if let chosen = own.inputID, chosen != inputID, session.preferredInput?.uid == chosen {
      try? session.setPreferredInput(session.availableInputs?.first { $0.uid == inputID })
    }
  }

  /// Restores the other preferences of a session, unless the app has changed them since.
  ///
  /// If the session will be deactivated, call this afterward: an active session would change the
  /// hardware immediately.
  func restoreHardware(to session: AVAudioSession, instead own: LibraryPreferences) {
    if let set = own.sampleRate, set != sampleRate, session.preferredSampleRate == set {
      try? session.setPreferredSampleRate(sampleRate)
    }
    if let set = own.blockDuration, set != blockDuration, session.preferredIOBufferDuration == set {
      try? session.setPreferredIOBufferDuration(blockDuration)
    }
    if let set = own.avoidsAlerts, set != avoidsAlerts,
      session.prefersNoInterruptionsFromSystemAlerts == set
    {
      try? session.setPrefersNoInterruptionsFromSystemAlerts(avoidsAlerts)
    }
    if let set = own.allowsHaptics, set != allowsHaptics,
      session.allowHapticsAndSystemSoundsDuringRecording == set
    {
      try? session.setAllowHapticsAndSystemSoundsDuringRecording(allowsHaptics)
    }
  }
}

#if !os(tvOS)
/// The setup of the built-in microphone, to be restored after a capture.
struct CoreAudioMicrophoneSetup: Sendable {
  /// The preferred microphone of the port; nil for none.
  let sourceName: String?
  /// The name of the microphone whose pattern this library changes, and its previous pattern.
  let changedName: String
  let pattern: AVAudioSession.PolarPattern?
  let orientation: AVAudioSession.StereoOrientation
  let channelCount: Int

  /// Reads the current setup, before `changed` becomes the preferred microphone of `port`.
  init(
    _ port: AVAudioSessionPortDescription, changing changed: AVAudioSessionDataSourceDescription,
    of session: AVAudioSession
  ) {
    sourceName = port.preferredDataSource?.dataSourceName
    changedName = changed.dataSourceName
    pattern = changed.preferredPolarPattern
    orientation = session.preferredInputOrientation
    channelCount = session.preferredInputNumberOfChannels
  }

  /// Restores the setup, unless the app has chosen another microphone since.
  func restore(to session: AVAudioSession) {
    guard let port = session.availableInputs?.first(where: { $0.portType == .builtInMic }),
      port.preferredDataSource?.dataSourceName == changedName
    else { return }
    let sources = port.dataSources ?? []
    if session.preferredInputNumberOfChannels != channelCount {
      try? session.setPreferredInputNumberOfChannels(channelCount)
    }
    if session.preferredInputOrientation != orientation {
      try? session.setPreferredInputOrientation(orientation)
    }
    if let source = sources.first(where: { $0.dataSourceName == changedName }),
      source.preferredPolarPattern != pattern
    {
      try? source.setPreferredPolarPattern(pattern)
    }
    if sourceName != changedName {
      try? port.setPreferredDataSource(sources.first { $0.dataSourceName == sourceName })
    }
  }
}
#endif

extension CoreAudioSessionOptions.Input {
  /// Converts the type of a port; nil if this type has no case for it.
  init?(_ port: AVAudioSession.Port) {
    switch port {
    case .builtInMic: self = .builtInMicrophone
    case .headsetMic: self = .headset
    case .bluetoothHFP, .bluetoothLE: self = .bluetooth
    case .usbAudio: self = .usb
    case .lineIn: self = .line
    case .carAudio: self = .car
    default: return nil
    }
  }
}

#if !os(tvOS)
extension CoreAudioSession {
  /// Sets the built-in microphone up as chosen, and appends a diagnostic for each failed step.
  ///
  /// The order is the one that Apple documents: input, microphone with its pattern, orientation.
  /// The setup stays while another input is in use.
  func adjust(
    _ microphone: CoreAudioMicrophone, of session: AVAudioSession, _ diagnostics: inout [String]
  ) {
    guard let port = session.availableInputs?.first(where: { $0.portType == .builtInMic }) else {
      return
    }
    let sources = port.dataSources ?? []
    guard let index = microphone.index(among: sources.map { CoreAudioDataSource($0) }) else {
      diagnostics.append(CoreAudioMicrophone.absence)
      return
    }
    let source = sources[index]
    // Only the built-in microphone has a stereo pattern, but a requested input has priority.
    if microphone.pattern == .stereo, choice.input == nil, pinnedID == nil,
      session.preferredInput?.uid != port.uid
    {
      Self.trying("choose the input of", &diagnostics) { try use.prefer(port) }
    }
    use.remember(CoreAudioMicrophoneSetup(port, changing: source, of: session))
    // Setting an unchanged value would be another change of route.
    if let pattern = microphone.pattern, source.preferredPolarPattern != pattern.ofSystem {
      Self.trying("set the pattern of", &diagnostics) {
        try source.setPreferredPolarPattern(pattern.ofSystem)
      }
    }
    if port.preferredDataSource?.dataSourceName != source.dataSourceName {
      Self.trying("choose the microphone of", &diagnostics) {
        try port.setPreferredDataSource(source)
      }
    }
    guard microphone.pattern == .stereo else { return }
    let orientation = microphone.orientation.ofSystem
    if session.preferredInputOrientation != orientation {
      Self.trying("set the orientation of", &diagnostics) {
        try session.setPreferredInputOrientation(orientation)
      }
    }
    if session.preferredInputNumberOfChannels != 2 {
      Self.trying("set the channels of", &diagnostics) {
        try session.setPreferredInputNumberOfChannels(2)
      }
    }
  }
}

extension CoreAudioDataSource {
  /// Creates a description of a port's microphone.
  init(_ source: AVAudioSessionDataSourceDescription) {
    self.init(
      position: source.orientation.flatMap { CoreAudioMicrophone.Position($0) },
      patterns: (source.supportedPolarPatterns ?? []).compactMap {
        CoreAudioMicrophone.Pattern($0)
      })
  }
}

extension CoreAudioMicrophone.Position {
  /// Converts a position from the system's type; nil if it is unknown.
  init?(_ orientation: AVAudioSession.Orientation) {
    switch orientation {
    case .front: self = .front
    case .back: self = .back
    case .top: self = .top
    case .bottom: self = .bottom
    case .left: self = .left
    case .right: self = .right
    default: return nil
    }
  }
}

extension CoreAudioMicrophone.Pattern {
  /// Converts a pattern from the system's type; nil if it is unknown.
  init?(_ pattern: AVAudioSession.PolarPattern) {
    guard let own = Self.allCases.first(where: { $0.ofSystem == pattern }) else { return nil }
    self = own
  }

  /// The pattern in the system's type.
  var ofSystem: AVAudioSession.PolarPattern {
    switch self {
    case .omnidirectional: .omnidirectional
    case .cardioid: .cardioid
    case .subcardioid: .subcardioid
    case .stereo: .stereo
    }
  }
}

extension CoreAudioMicrophone.Orientation {
  /// The orientation in the system's type.
  var ofSystem: AVAudioSession.StereoOrientation {
    switch self {
    case .portrait: .portrait
    case .portraitUpsideDown: .portraitUpsideDown
    case .landscapeRight: .landscapeRight
    case .landscapeLeft: .landscapeLeft
    }
  }
}
#endif
#endif
