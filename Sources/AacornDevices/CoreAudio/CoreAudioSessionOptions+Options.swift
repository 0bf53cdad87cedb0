extension CoreAudioSessionOptions {
  /// The owner of the session: it sets up, activates and deactivates the session.
  public enum Control: Sendable, Equatable {
    /// The sources and targets of this library, as far as these options allow.
    case managed
    /// The app alone; this library never changes the session.
    ///
    /// Sources and targets still follow interruptions and changes of route. After an interruption
    /// the app activates its session and resumes the recording.
    case manual
  }

  /// The category of the session: whether the app plays audio while it captures.
  public enum Category: Sendable, Equatable, CaseIterable {
    /// The app only captures, and the system pauses all other playback.
    case record
    /// The app captures and plays.
    case playAndRecord
  }

  /// The purpose of the audio, which determines the system's own processing.
  ///
  /// The system offers the modes for calls only in a category that also plays. With
  /// ``Category/record`` such a mode sets the session up for playing and capturing, and a
  /// diagnostic reports that.
  public enum Mode: Sendable, Equatable, CaseIterable {
    /// No particular purpose.
    case standard
    /// Measurement: as little processing as possible.
    case measurement
    /// The audio track of a recorded video.
    case videoRecording
    /// A call; allows Bluetooth headsets by itself.
    case voiceChat
    /// A call with video.
    case videoChat
    /// Speech, such as a podcast.
    case spokenAudio

    /// Whether the system offers the mode only in a category that both plays and captures.
    var isForCalls: Bool {
      switch self {
      case .voiceChat, .videoChat: true
      case .standard, .measurement, .videoRecording, .spokenAudio: false
      }
    }
  }

  /// The diagnostic for a mode that does not match the category; nil if it matches.
  var modeDiagnostic: String? {
    guard category == .record, mode?.isForCalls == true else { return nil }
    return "Modes for calls also play. The audio session is set up for recording and playback."
  }

  /// The treatment of other apps' audio.
  public enum OtherAudioPolicy: Sendable, Equatable, CaseIterable {
    /// Other apps are paused.
    case pause
    /// Other apps continue.
    case mix
    /// Other apps continue at a lower volume.
    case duck
    /// Music continues, and speech is paused.
    case pauseSpeech
    /// Music continues at a lower volume, and speech is paused.
    case duckAndPauseSpeech
  }

  /// The permitted use of a Bluetooth headset's microphone.
  public enum Bluetooth: Sendable, Equatable, CaseIterable {
    /// No use.
    case off
    /// Use as for calls: at 8, 16 or 24 kHz, which limits the headset's playback to the same rate.
    case handsFree
    /// Use with full bandwidth if system and headset support it, otherwise as for calls.
    ///
    /// This value requires ``Category/playAndRecord`` and ``Mode/standard``.
    case highQuality
  }

  /// A kind of input.
  public enum Input: Sendable, Equatable, CaseIterable {
    /// The device's own microphones.
    case builtInMicrophone
    /// The microphone of a wired headset.
    case headset
    /// A Bluetooth microphone.
    case bluetooth
    /// An interface or microphone at the USB port.
    case usb
    /// A line input.
    case line
    /// The microphone of a car.
    case car

    /// The name of the kind in messages.
    var title: String {
      switch self {
      case .builtInMicrophone: "built-in microphone"
      case .headset: "headset microphone"
      case .bluetooth: "Bluetooth microphone"
      case .usb: "USB input"
      case .line: "line input"
      case .car: "car microphone"
      }
    }
  }
}
