import AacornSystem

/// How sources and targets treat the audio session of a phone's app; has no effect on macOS, where
/// programs do not compete, except for ``voiceProcessing``.
///
///     var choice = CoreAudioSessionChoice()
///     choice.mode = .measurement
///     choice.others = .duck
///     let source = try CoreAudioSystem.makeSource(CaptureRequest(), sharing: choice)
///
/// An app has one session, so what is made without a choice of its own takes ``forApp``.
public struct CoreAudioSessionChoice: Sendable, Equatable {
  /// Who sets up, activates and deactivates the session.
  public var control: Control
  /// Whether the app plays sound while it captures.
  ///
  /// Voice processing always does both, and so does a mode for calls.
  public var category: Category
  /// What the sound is for; nil means what suits the request.
  public var mode: Mode?
  /// What becomes of other apps' sound; without ``Category/playAndRecord`` the system pauses it.
  public var others: Others
  /// Whether the app's own sound uses the loudspeaker rather than the earpiece.
  public var prefersSpeaker: Bool
  /// Whether a Bluetooth headset's microphone may be used.
  public var bluetooth: Bluetooth
  /// Whether sound may be played on Bluetooth headphones and by AirPlay while another microphone is
  /// used.
  ///
  /// It needs ``Category/playAndRecord``; a call, and a source that removes echo, cannot play by
  /// AirPlay. Where it may not, music that another app plays there moves to the phone's own loudspeaker
  /// as soon as a source starts, and the microphone hears it.
  public var playsOnBluetooth: Bool
  /// Which kind of input is preferred; nil leaves that to the system.
  ///
  /// A request for a certain device comes first.
  public var input: Input?
  /// How the built-in microphone listens; nil leaves that to the system.
  public var microphone: CoreAudioMicrophone?
  /// The rate that the hardware should have; nil means that of the request, if it is 44 100 or
  /// 48 000 Hz.
  ///
  /// The hardware's rate is that of everything else that plays as well, also of other apps. So a
  /// request for less, such as 16 000 Hz for speech, does not change it.
  public var sampleRate: Int?
  /// How long the hardware's blocks should be; nil means as long as those of the request.
  public var blockDuration: Duration?
  /// Whether the session is deactivated after its last use, so that other apps go on.
  ///
  /// It never is where the app had chosen a category before, or where a ``CoreAudioSessionHold`` is
  /// kept: whatever else the app plays would stop.
  public var deactivates: Bool
  /// How long an interruption may last, such as a call, before the source fails; nil means forever.
  ///
  /// Not every interruption ends with a word from the system. Until it ends a recording grows by
  /// silence, which this bounds.
  public var longestInterruption: Duration?
  /// Whether a ringing call or another alert of the system interrupts the source.
  ///
  /// By default it does not: a call interrupts only when the user accepts it. If the user has chosen
  /// full-screen calls, every call interrupts.
  public var isInterruptedByAlerts = false
  /// Whether the device may vibrate and play system sounds during capture, which the microphone hears.
  public var allowsHaptics = false
  /// Whether the source continues, with silence, while the device mutes its own microphone, as a tablet
  /// does under a closed cover; otherwise that is an interruption.
  public var capturesWhileMuted = false
  /// The gain of the input from 0 to 1, where the input has one; nil leaves it unchanged.
  public var inputGain: Float?
  /// The settings for requests with voice processing; they also apply on macOS.
  public var voiceProcessing = CoreAudioVoiceProcessing()

  /// Creates a choice; by default others keep playing where they do, and the built-in or a wired
  /// microphone is used.
  public init(
    control: Control = .managed, category: Category = .playAndRecord, mode: Mode? = nil,
    others: Others = .mix, prefersSpeaker: Bool = true, bluetooth: Bluetooth = .off,
    playsOnBluetooth: Bool = true, input: Input? = nil, microphone: CoreAudioMicrophone? = nil,
    sampleRate: Int? = nil, blockDuration: Duration? = nil, deactivates: Bool = true,
    longestInterruption: Duration? = .seconds(3600)
  ) {
    self.control = control
    self.category = category
    self.mode = mode
    self.others = others
    self.prefersSpeaker = prefersSpeaker
    self.bluetooth = bluetooth
    self.playsOnBluetooth = playsOnBluetooth
    self.input = input
    self.microphone = microphone
    self.sampleRate = sampleRate
    self.blockDuration = blockDuration
    self.deactivates = deactivates
    self.longestInterruption = longestInterruption
  }

  /// Leaves the session to the app and only listens to what happens to it.
  public static var manual: CoreAudioSessionChoice { CoreAudioSessionChoice(control: .manual) }

  /// The rate to ask of the hardware for a request; nil for none.
  func hardwareRate(for request: CaptureRequest) -> Int? {
    if let sampleRate { return sampleRate }
    return request.sampleRate.flatMap { [44_100, 48_000].contains($0) ? $0 : nil }
  }

  private static let appChoice = Lock(CoreAudioSessionChoice())

  /// The choice for sources and targets that are made without one of their own, such as those of a
  /// monitor, from now on.
  public static var forApp: CoreAudioSessionChoice {
    get { appChoice.withLock { $0 } }
    set { appChoice.withLock { $0 = newValue } }
  }
}
