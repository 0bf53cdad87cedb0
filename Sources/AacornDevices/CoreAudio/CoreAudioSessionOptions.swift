import AacornSystem

/// The options for the audio session of a phone's app, as used by sources and targets.
///
/// On macOS, where programs do not compete for audio, only ``voiceProcessing`` has an effect.
///
///     var choice = CoreAudioSessionOptions()
///     choice.mode = .measurement
///     choice.otherAudio = .duck
///     let source = try CoreAudioSystem.makeSource(CaptureRequest(), sharing: choice)
///
/// An app has one session, so sources and targets created without options use ``forApp``.
public struct CoreAudioSessionOptions: Sendable, Equatable {
  /// The owner of the session, which sets up, activates and deactivates it.
  public var control: Control
  /// Whether the app may also play audio while it captures.
  ///
  /// Voice processing and the modes for calls always do both.
  public var category: Category
  /// The purpose of the audio; nil means the purpose that suits the request.
  public var mode: Mode?
  /// The treatment of other apps' audio; without ``Category/playAndRecord`` the system pauses it.
  public var otherAudio: OtherAudioPolicy
  /// Whether the app's own audio uses the loudspeaker rather than the earpiece.
  public var prefersSpeaker: Bool
  /// The permitted use of a Bluetooth headset's microphone.
  public var bluetooth: Bluetooth
  /// Whether audio may be played on Bluetooth headphones and by AirPlay while another microphone is
  /// used.
  ///
  /// This option requires ``Category/playAndRecord``. Calls, and sources that remove echo, cannot
  /// play by AirPlay. If the option is off, starting a source moves music that another app plays on
  /// such a device to the phone's own loudspeaker, and the microphone captures it.
  public var playsOnBluetooth: Bool
  /// The preferred kind of input; nil means the system's choice.
  ///
  /// A request for a certain device has priority.
  public var input: Input?
  /// The settings of the built-in microphone; nil means the system's choice.
  public var microphone: CoreAudioMicrophone?
  /// The preferred sample rate of the hardware, in hertz.
  ///
  /// Nil means the rate of the request, if it is 44,100 or 48,000 Hz. The hardware's rate applies
  /// to all other playback as well, also of other apps. So a request for a lower rate, such as
  /// 16,000 Hz for speech, does not change the hardware's rate.
  public var sampleRate: Int?
  /// The preferred duration of the hardware's blocks; nil means the block duration of the request.
  public var blockDuration: Duration?
  /// Whether the session is deactivated after its last use, so that other apps resume.
  ///
  /// The session stays active if the app had chosen a category before, or if a
  /// ``CoreAudioSessionActivation`` exists: deactivation would stop the app's other playback.
  public var deactivates: Bool
  /// The duration after which an interruption, such as a call, makes the source fail; nil means no
  /// limit.
  ///
  /// The system does not report the end of every interruption. During an interruption a recording
  /// grows by silence, and this limit bounds the growth.
  public var maxInterruptionDuration: Duration?
  /// Whether a ringing call or another alert of the system interrupts the source.
  ///
  /// By default a call interrupts only when the user accepts it. If the user has chosen full-screen
  /// calls, every call interrupts.
  public var isInterruptedByAlerts = false
  /// Whether the device may vibrate and play system sounds, audible to the microphone, during
  /// capture.
  public var allowsHaptics = false
  /// Whether the source continues, with silence, while the device mutes its own microphone.
  ///
  /// A tablet does so under a closed cover. If false, muting is an interruption.
  public var capturesWhileMuted = false
  /// The gain of the input from 0 to 1, if the input has one; nil leaves it unchanged.
  public var inputGain: Float?
  /// The settings for requests with voice processing; they also apply on macOS.
  public var voiceProcessing = CoreAudioVoiceProcessing()

  /// Creates options.
  ///
  /// By default other apps keep playing on their current output, and the built-in or a wired
  /// microphone is used.
  public init(
    control: Control = .managed, category: Category = .playAndRecord, mode: Mode? = nil,
    otherAudio: OtherAudioPolicy = .mix, prefersSpeaker: Bool = true, bluetooth: Bluetooth = .off,
    playsOnBluetooth: Bool = true, input: Input? = nil, microphone: CoreAudioMicrophone? = nil,
    sampleRate: Int? = nil, blockDuration: Duration? = nil, deactivates: Bool = true,
    maxInterruptionDuration: Duration? = .seconds(3600)
  ) {
    self.control = control
    self.category = category
    self.mode = mode
    self.otherAudio = otherAudio
    self.prefersSpeaker = prefersSpeaker
    self.bluetooth = bluetooth
    self.playsOnBluetooth = playsOnBluetooth
    self.input = input
    self.microphone = microphone
    self.sampleRate = sampleRate
    self.blockDuration = blockDuration
    self.deactivates = deactivates
    self.maxInterruptionDuration = maxInterruptionDuration
  }

  /// The options that leave the session to the app and only follow its events.
  public static var manual: CoreAudioSessionOptions { CoreAudioSessionOptions(control: .manual) }

  /// Returns the hardware rate to set for a capture request, in hertz; nil leaves it unchanged.
  func hardwareRate(for request: CaptureRequest) -> Int? {
    if let sampleRate { return sampleRate }
    return request.sampleRate.flatMap { [44_100, 48_000].contains($0) ? $0 : nil }
  }

  private static let appOptions = Lock(CoreAudioSessionOptions())

  /// The options for sources and targets created from now on without options, such as in a monitor.
  public static var forApp: CoreAudioSessionOptions {
    get { appOptions.withLock { $0 } }
    set { appOptions.withLock { $0 = newValue } }
  }
}

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

/// The settings of the system's voice processing, for requests with
/// ``CaptureRequest/isVoiceProcessed``.
///
///     var choice = CoreAudioSessionOptions()
///     choice.voiceProcessing.ducking = .medium
///
/// They apply on phones and on Macs.
public struct CoreAudioVoiceProcessing: Sendable, Equatable {
  /// The amount by which voice processing lowers all other audio, of this app and of other apps.
  ///
  /// It can be chosen from iOS 17 and macOS 14 on. Older systems and tvOS always use ``standard``.
  public enum Ducking: Sendable, Equatable, CaseIterable {
    /// The amount that the system chooses.
    case standard
    /// The minimum that the system allows.
    case minimum
    /// More than the minimum.
    case medium
    /// The maximum that the system allows, for the most intelligible speech.
    case maximum
  }

  /// The ducking of other audio; nil means a value that suits the session.
  ///
  /// That value is ``Ducking/minimum`` where music should continue unchanged
  /// (``CoreAudioSessionOptions/otherAudio`` is `mix` or `pauseSpeech`), and otherwise
  /// ``Ducking/standard``.
  public var ducking: Ducking?
  /// Whether the system adjusts the gain of the microphone.
  public var adjustsGain: Bool
  /// Whether the processing is bypassed: the unit captures without removing echo and noise.
  public var isBypassed: Bool

  /// Creates settings; without arguments, the settings that suit the session.
  public init(ducking: Ducking? = nil, adjustsGain: Bool = true, isBypassed: Bool = false) {
    self.ducking = ducking
    self.adjustsGain = adjustsGain
    self.isBypassed = isBypassed
  }

  /// Returns these settings; a ducking of nil is replaced by the value that suits `otherAudio`.
  func resolved(
    beside otherAudio: CoreAudioSessionOptions.OtherAudioPolicy
  ) -> CoreAudioVoiceProcessing {
    var settings = self
    settings.ducking =
      ducking ?? ([.mix, .pauseSpeech].contains(otherAudio) ? .minimum : .standard)
    return settings
  }
}
