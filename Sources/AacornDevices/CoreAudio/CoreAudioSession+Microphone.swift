#if canImport(AudioToolbox) && !os(macOS) && !os(watchOS)
import AVFAudio
import AudioToolbox

extension CoreAudioSessionChoice.Input {
  /// The kind of a port; nil if none can be asked for.
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
  /// Sets the built-in microphone up as chosen, in the order that Apple documents: input, microphone
  /// with its pattern, orientation. What fails is a remark.
  ///
  /// The setup stays while another input is in use.
  func adjust(
    _ microphone: CoreAudioMicrophone, of session: AVAudioSession, for request: CaptureRequest,
    _ remarks: inout [String]
  ) {
    guard let port = session.availableInputs?.first(where: { $0.portType == .builtInMic }) else {
      return
    }
    let sources = port.dataSources ?? []
    guard let index = microphone.index(among: sources.map { CoreAudioDataSource($0) }) else {
      remarks.append(CoreAudioMicrophone.absence)
      return
    }
    let source = sources[index]
    // Two channels come from this input only, unless another one was asked for.
    if microphone.pattern == .stereo, choice.input == nil, !Self.isPinned(request),
      session.preferredInput?.uid != port.uid
    {
      Self.trying("choose the input of", &remarks) { try use.prefer(port) }
    }
    use.remember(CoreAudioMicrophoneSetup(port, changing: source, of: session))
    // Setting what is already so would be another change of route.
    if let pattern = microphone.pattern, source.preferredPolarPattern != pattern.ofSystem {
      Self.trying("set the pattern of", &remarks) {
        try source.setPreferredPolarPattern(pattern.ofSystem)
      }
    }
    if port.preferredDataSource?.dataSourceName != source.dataSourceName {
      Self.trying("choose the microphone of", &remarks) {
        try port.setPreferredDataSource(source)
      }
    }
    guard microphone.pattern == .stereo else { return }
    let orientation = microphone.orientation.ofSystem
    if session.preferredInputOrientation != orientation {
      Self.trying("set the orientation of", &remarks) {
        try session.setPreferredInputOrientation(orientation)
      }
    }
    if session.preferredInputNumberOfChannels != 2 {
      Self.trying("set the channels of", &remarks) {
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
  /// A microphone of a port.
  init(_ source: AVAudioSessionDataSourceDescription) {
    self.init(
      place: source.orientation.flatMap { CoreAudioMicrophone.Place($0) },
      patterns: (source.supportedPolarPatterns ?? []).compactMap {
        CoreAudioMicrophone.Pattern($0)
      })
  }
}

extension CoreAudioMicrophone.Place {
  /// A place as the system has it; nil if it is not known here.
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
  /// A pattern of the system; nil if it is not known here.
  init?(_ pattern: AVAudioSession.PolarPattern) {
    switch pattern {
    case .omnidirectional: self = .omnidirectional
    case .cardioid: self = .cardioid
    case .subcardioid: self = .subcardioid
    case .stereo: self = .stereo
    default: return nil
    }
  }

  /// As the system has it.
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
  /// As the system has it.
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
