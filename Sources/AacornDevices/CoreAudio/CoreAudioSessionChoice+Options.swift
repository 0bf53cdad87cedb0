extension CoreAudioSessionChoice {
  /// Who sets up, activates and deactivates the session.
  public enum Control: Sendable, Equatable {
    /// The sources and targets of this library, as far as their choice says.
    case managed
    /// The app alone; nothing of the session is ever changed here.
    ///
    /// Interruptions and changes of route are still followed. After an interruption the app
    /// activates its session, and resumes the recording.
    case manual
  }

  /// Whether the app plays sound while it captures.
  public enum Category: Sendable, Equatable, CaseIterable {
    /// It only captures, and the system pauses whatever else plays.
    case record
    /// It does both.
    case playAndRecord
  }

  /// What the sound is for, on which the system's own processing depends.
  ///
  /// The system has modes for calls only where the app plays as well. With ``Category/record`` they set
  /// the session up for both, which is remarked on.
  public enum Mode: Sendable, Equatable, CaseIterable {
    /// Nothing in particular.
    case standard
    /// Measuring: as little processing as possible.
    case measurement
    /// The sound of a video that is recorded.
    case videoRecording
    /// A call; admits Bluetooth headsets by itself.
    case voiceChat
    /// A call with video.
    case videoChat
    /// Speech, such as a podcast.
    case spokenAudio

    /// Whether the system has it in a category only that both plays and captures.
    var isForCalls: Bool {
      switch self {
      case .voiceChat, .videoChat: true
      case .standard, .measurement, .videoRecording, .spokenAudio: false
      }
    }
  }

  /// What is to be said of a mode that does not fit the category; nil if it does.
  var modeRemark: String? {
    guard category == .record, mode?.isForCalls == true else { return nil }
    return "A mode for calls plays as well, so the audio session is set up for both."
  }

  /// What becomes of other apps' sound.
  public enum Others: Sendable, Equatable, CaseIterable {
    /// It is paused.
    case pause
    /// It goes on.
    case mix
    /// It goes on more quietly.
    case duck
    /// Music goes on, and speech is paused.
    case pauseSpeech
    /// Music goes on more quietly, and speech is paused.
    case duckAndPauseSpeech
  }

  /// Whether a Bluetooth headset's microphone may be used.
  public enum Bluetooth: Sendable, Equatable, CaseIterable {
    /// No.
    case off
    /// As for calls: at 8, 16 or 24 kHz, which limits the headset's playback to the same.
    case handsFree
    /// With full bandwidth where system and headset offer it, otherwise as for calls.
    ///
    /// It needs ``Category/playAndRecord`` and ``Mode/standard``.
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

    /// What it is called in a sentence.
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
