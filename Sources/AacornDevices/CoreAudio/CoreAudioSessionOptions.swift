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
