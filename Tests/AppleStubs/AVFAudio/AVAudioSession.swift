// swift-format-ignore-file
// Part of the stub of Apple's AVFAudio: the declarations that this package uses, as Swift imports
// them. ../README.md documents the simulated behavior.

#if !os(macOS)
public import Foundation
internal import SimulatedApple

// AVFAudio/AVAudioSession.h and AVFAudio/AVAudioSessionTypes.h, iOS 3, tvOS 9
open class AVAudioSession {
  // iOS 3 to 6, tvOS 9
  public struct Category: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }
  // iOS 5, tvOS 9
  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    // iOS 5, tvOS 9
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    // iOS 7, tvOS 9
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    // iOS 9, tvOS 9
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
  }
  // iOS 6 and 7, tvOS 9; carAudio since iOS 7
  public struct Port: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let lineIn = Port(rawValue: "LineIn")
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    public static let bluetoothLE = Port(rawValue: "BluetoothLE")
    public static let usbAudio = Port(rawValue: "USBAudio")
    public static let carAudio = Port(rawValue: "CarAudio")
  }
  // iOS 7, tvOS 9; left and right since iOS 8
  public struct Orientation: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let top = Orientation(rawValue: "Top")
    public static let bottom = Orientation(rawValue: "Bottom")
    public static let front = Orientation(rawValue: "Front")
    public static let back = Orientation(rawValue: "Back")
    public static let left = Orientation(rawValue: "Left")
    public static let right = Orientation(rawValue: "Right")
  }
  // iOS 7, tvOS 9
  public struct PolarPattern: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    // iOS 7, tvOS 9
    public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")
    public static let cardioid = PolarPattern(rawValue: "Cardioid")
    public static let subcardioid = PolarPattern(rawValue: "Subcardioid")
    #if !os(tvOS)
    // iOS 14, not tvOS
    public static let stereo = PolarPattern(rawValue: "Stereo")
    #endif
  }
  #if !os(tvOS)
  // AVAudioStereoOrientation; iOS 14, not tvOS
  public enum StereoOrientation: Int, Sendable {
    case none = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4
  }
  #endif
  // iOS 6, tvOS 9
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // iOS 6, tvOS 9
    public static var mixWithOthers: CategoryOptions { CategoryOptions(rawValue: 0x1) }
    // iOS 6, tvOS 9
    public static var duckOthers: CategoryOptions { CategoryOptions(rawValue: 0x2) }
    // iOS 1, tvOS 17; renamed in the SDK of iOS 26
    @available(tvOS 17.0, *)
    public static var allowBluetoothHFP: CategoryOptions { CategoryOptions(rawValue: 0x4) }
    #if !os(tvOS)
    // iOS 5, not tvOS
    public static var defaultToSpeaker: CategoryOptions { CategoryOptions(rawValue: 0x8) }
    // iOS 14.5, not tvOS
    public static var overrideMutedMicrophoneInterruption: CategoryOptions {
      CategoryOptions(rawValue: 0x80)
    }
    #endif
    // iOS 9, tvOS 9; includes mixWithOthers
    public static var interruptSpokenAudioAndMixWithOthers: CategoryOptions {
      CategoryOptions(rawValue: 0x11)
    }
    // iOS 10, tvOS 10
    public static var allowBluetoothA2DP: CategoryOptions { CategoryOptions(rawValue: 0x20) }
    // iOS 10, tvOS 10
    public static var allowAirPlay: CategoryOptions { CategoryOptions(rawValue: 0x40) }
    #if os(iOS) && !targetEnvironment(macCatalyst)
    // iOS 26; not Mac Catalyst, tvOS, visionOS
    @available(iOS 26.0, *)
    public static var bluetoothHighQualityRecording: CategoryOptions {
      CategoryOptions(rawValue: 1 << 19)
    }
    #endif
  }
  // iOS 6, tvOS 9
  public struct SetActiveOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var notifyOthersOnDeactivation: SetActiveOptions { SetActiveOptions(rawValue: 1) }
  }

  // iOS 3 to 6, tvOS 9
  nonisolated(unsafe) static let shared = AVAudioSession()
  public class func sharedInstance() -> AVAudioSession { unsafe shared }
  public var category: Category { Category(rawValue: SimulatedPhone.session.category) }
  // iOS 5, tvOS 9
  public var mode: Mode { Mode(rawValue: SimulatedPhone.session.mode) }
  // iOS 6, tvOS 9
  public var categoryOptions: CategoryOptions {
    CategoryOptions(rawValue: SimulatedPhone.session.options)
  }
  // iOS 10, tvOS 10
  public func setCategory(
    _ category: Category, mode: Mode, options: CategoryOptions
  ) throws {
    try SimulatedPhone.setCategory(
      category.rawValue, mode: mode.rawValue, options: options.rawValue)
  }
  // iOS 6, tvOS 9
  public func setActive(_ active: Bool, options: SetActiveOptions) throws {
    try SimulatedPhone.setActive(active, options: options.rawValue)
  }
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    try SimulatedPhone.setPreferredSampleRate(sampleRate)
  }
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    try SimulatedPhone.setPreferredBlockDuration(duration)
  }
  // iOS 6, tvOS 9; 0 until the app sets a preference
  public var preferredSampleRate: Double { SimulatedPhone.session.preferredSampleRate }
  public var preferredIOBufferDuration: TimeInterval {
    SimulatedPhone.session.preferredBlockDuration
  }
  // iOS 14.5, tvOS 14.5
  public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
    try SimulatedPhone.setAvoidsAlerts(inValue)
  }
  public var prefersNoInterruptionsFromSystemAlerts: Bool { SimulatedPhone.session.avoidsAlerts }
  // iOS 13, tvOS 13
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    try SimulatedPhone.setAllowsHaptics(inValue)
  }
  public var allowHapticsAndSystemSoundsDuringRecording: Bool {
    SimulatedPhone.session.allowsHaptics
  }
  // iOS 6, tvOS 9
  public func setInputGain(_ gain: Float) throws { try SimulatedPhone.setInputGain(gain) }
  public var inputGain: Float { SimulatedPhone.session.inputGain }
  public var isInputGainSettable: Bool { SimulatedPhone.hasInputGain }
  // iOS 7, tvOS 9
  public var preferredInput: AVAudioSessionPortDescription? {
    SimulatedPhone.preferredInput.map { AVAudioSessionPortDescription($0) }
  }
  // iOS 7, tvOS 9
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    try SimulatedPhone.setPreferredInput(inPort?.uid)
  }
  // iOS 7, tvOS 9
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    try SimulatedPhone.setPreferredInputChannelCount(count)
  }
  // iOS 7, tvOS 9
  public var preferredInputNumberOfChannels: Int {
    SimulatedPhone.session.preferredInputChannelCount
  }
  #if !os(tvOS)
  // iOS 14, not tvOS
  public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
    try SimulatedPhone.setPreferredOrientation(orientation.rawValue)
  }
  // iOS 14, not tvOS
  public var preferredInputOrientation: StereoOrientation {
    StereoOrientation(rawValue: SimulatedPhone.session.preferredOrientation) ?? .none
  }
  #endif
  // iOS 6, tvOS 9
  public var sampleRate: Double { SimulatedPhone.sampleRate }
  public var inputNumberOfChannels: Int { SimulatedPhone.inputChannelCount }
  public var outputNumberOfChannels: Int { SimulatedPhone.outputChannelCount }
  public var inputLatency: TimeInterval { 0.005 }
  public var outputLatency: TimeInterval { 0.008 }
  public var ioBufferDuration: TimeInterval { SimulatedPhone.blockDuration }
  public var isInputAvailable: Bool { SimulatedPhone.isInputAvailable }
  public var currentRoute: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription() }
  // iOS 7, tvOS 9
  public var availableInputs: [AVAudioSessionPortDescription]? {
    SimulatedPhone.availableInputs?.map { AVAudioSessionPortDescription($0) }
  }

  #if os(iOS)
  // iOS 8, not tvOS; deprecated in iOS 17
  @available(iOS, deprecated: 17.0)
  public enum RecordPermission: UInt, Sendable {
    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }
  @available(iOS, deprecated: 17.0)
  public var recordPermission: RecordPermission {
    switch SimulatedPhone.permission {
    case .undetermined: .undetermined
    case .denied: .denied
    case .granted: .granted
    }
  }
  @available(iOS, deprecated: 17.0)
  public func requestRecordPermission(_ response: @escaping (Bool) -> Void) {
    nonisolated(unsafe) let response = response
    SimulatedPhone.ask { answer in unsafe response(answer) }
  }
  #endif

  // iOS 6 and 7, tvOS 9
  public class var interruptionNotification: Notification.Name {
    Notification.Name("AVAudioSessionInterruptionNotification")
  }
  public class var routeChangeNotification: Notification.Name {
    Notification.Name("AVAudioSessionRouteChangeNotification")
  }
  public class var mediaServicesWereLostNotification: Notification.Name {
    Notification.Name("AVAudioSessionMediaServicesWereLostNotification")
  }
  public class var mediaServicesWereResetNotification: Notification.Name {
    Notification.Name("AVAudioSessionMediaServicesWereResetNotification")
  }
}

// AVFAudio/AVAudioSessionTypes.h, iOS 6, tvOS 9
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
#if !os(tvOS)
// AVFAudio/AVAudioSessionTypes.h, iOS 14.5, not tvOS
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
#endif
// AVFAudio/AVAudioSessionTypes.h, iOS 6, tvOS 9
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
#endif
