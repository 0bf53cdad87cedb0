#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio
import AudioToolbox

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
    _ microphone: CoreAudioMicrophone, of session: AVAudioSession, for request: CaptureRequest,
    _ diagnostics: inout [String]
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
    if microphone.pattern == .stereo, choice.input == nil, !Self.isPinned(request),
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

extension CoreAudioSession {
  /// Whether a request names its input.
  private static func isPinned(_ request: CaptureRequest) -> Bool {
    if case .pinned(let id) = request.device { id != anyInput } else { false }
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
    switch pattern {
    case .omnidirectional: self = .omnidirectional
    case .cardioid: self = .cardioid
    case .subcardioid: self = .subcardioid
    case .stereo: self = .stereo
    default: return nil
    }
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
