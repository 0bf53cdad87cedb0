// swift-format-ignore-file
// A stub of Apple's AVFAudio for Scripts/check-apple: the declarations that this package uses, in
// the form in which Swift sees them, and nothing else. It is for checking types on other systems;
// nothing can be linked or run with it.

public import CoreAudioTypes
#if !os(macOS)
public import Foundation
#endif

// AVAudioTypes.h, macOS 10.10, iOS 8.
public typealias AVAudioFrameCount = UInt32
public typealias AVAudioPacketCount = UInt32
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioFramePosition = Int64

// AVAudioChannelLayout.h, macOS 10.10, iOS 8.
open class AVAudioChannelLayout {
  public init(layout: UnsafePointer<AudioChannelLayout>) { fatalError() }
  public var layout: UnsafePointer<AudioChannelLayout> { fatalError() }
}

// AVAudioFormat.h, macOS 10.10, iOS 8.
open class AVAudioFormat {
  public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    fatalError()
  }
  public init(standardFormatWithSampleRate sampleRate: Double, channelLayout: AVAudioChannelLayout) {
    fatalError()
  }
  public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { fatalError() }
  public var channelLayout: AVAudioChannelLayout? { fatalError() }
}

// AVAudioTime.h, macOS 10.10, iOS 8.
open class AVAudioTime {
  public var isHostTimeValid: Bool { fatalError() }
  public var hostTime: UInt64 { fatalError() }
  public var isSampleTimeValid: Bool { fatalError() }
  public var sampleTime: AVAudioFramePosition { fatalError() }
  public var sampleRate: Double { fatalError() }
}

// AVAudioBuffer.h, macOS 10.10, iOS 8.
open class AVAudioBuffer {
  public var format: AVAudioFormat { fatalError() }
  public var audioBufferList: UnsafePointer<AudioBufferList> { fatalError() }
}

// AVAudioBuffer.h, macOS 10.10, iOS 8.
open class AVAudioPCMBuffer: AVAudioBuffer {
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) { fatalError() }
  public var frameLength: AVAudioFrameCount {
    get { fatalError() }
    set { fatalError() }
  }
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { fatalError() }
}

// AVAudioBuffer.h, macOS 10.11, iOS 9; `byteLength` macOS 10.13, iOS 11.
open class AVAudioCompressedBuffer: AVAudioBuffer {
  public var packetCount: AVAudioPacketCount { fatalError() }
  public var data: UnsafeMutableRawPointer { fatalError() }
  public var byteLength: UInt32 { fatalError() }
  public var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? { fatalError() }
}

// AVFAudio/AVAudioApplication.h; iOS 17, macOS 14, tvOS 17
@available(macOS 14.0, iOS 17.0, tvOS 17.0, *)
open class AVAudioApplication {
  public enum RecordPermission: Int, Sendable {
    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }

  public class var shared: AVAudioApplication { fatalError() }
  public var recordPermission: RecordPermission { fatalError() }
  public class func requestRecordPermission(
    completionHandler response: @escaping @Sendable (Bool) -> Void
  ) {}
}

#if !os(macOS)
// AVFAudio/AVAudioSessionRoute.h

// iOS 6, tvOS 9
open class AVAudioSessionChannelDescription {}

// iOS 6, tvOS 9
open class AVAudioSessionDataSourceDescription {
  public var dataSourceName: String { fatalError() }
  // iOS 7, tvOS 9; nil if it is not known
  public var orientation: AVAudioSession.Orientation? { fatalError() }
  // iOS 7, tvOS 9; nil if there is no choice
  public var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { fatalError() }
  // iOS 7, tvOS 9
  public var preferredPolarPattern: AVAudioSession.PolarPattern? { fatalError() }
  // iOS 7, tvOS 9
  public func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
    fatalError()
  }
}

// iOS 6, tvOS 9
open class AVAudioSessionPortDescription {
  public var portType: AVAudioSession.Port { fatalError() }
  public var portName: String { fatalError() }
  public var uid: String { fatalError() }
  public var channels: [AVAudioSessionChannelDescription]? { fatalError() }
  // iOS 7, tvOS 9
  public var dataSources: [AVAudioSessionDataSourceDescription]? { fatalError() }
  // iOS 7, tvOS 9
  public var preferredDataSource: AVAudioSessionDataSourceDescription? { fatalError() }
  // iOS 7, tvOS 9
  public func setPreferredDataSource(
    _ dataSource: AVAudioSessionDataSourceDescription?
  ) throws { fatalError() }
}

// iOS 6, tvOS 9
open class AVAudioSessionRouteDescription {
  public var inputs: [AVAudioSessionPortDescription] { fatalError() }
  public var outputs: [AVAudioSessionPortDescription] { fatalError() }
}

// AVFAudio/AVAudioSession.h and AVFAudio/AVAudioSessionTypes.h
open class AVAudioSession {
  // iOS 3 to 6, tvOS 9
  public struct Category: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let ambient = Category(rawValue: "")
    public static let soloAmbient = Category(rawValue: "")
    public static let playback = Category(rawValue: "")
    public static let record = Category(rawValue: "")
    public static let playAndRecord = Category(rawValue: "")
    public static let multiRoute = Category(rawValue: "")
  }
  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    // iOS 5, tvOS 9
    public static let `default` = Mode(rawValue: "")
    public static let voiceChat = Mode(rawValue: "")
    public static let gameChat = Mode(rawValue: "")
    public static let videoRecording = Mode(rawValue: "")
    public static let measurement = Mode(rawValue: "")
    // iOS 7, tvOS 9
    public static let videoChat = Mode(rawValue: "")
    // iOS 9, tvOS 9
    public static let spokenAudio = Mode(rawValue: "")
  }
  // iOS 6 and 7, tvOS 9; carAudio since iOS 7
  public struct Port: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let lineIn = Port(rawValue: "")
    public static let builtInMic = Port(rawValue: "")
    public static let headsetMic = Port(rawValue: "")
    public static let bluetoothHFP = Port(rawValue: "")
    public static let bluetoothLE = Port(rawValue: "")
    public static let usbAudio = Port(rawValue: "")
    public static let carAudio = Port(rawValue: "")
  }
  // iOS 7, tvOS 9; left and right since iOS 8
  public struct Orientation: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let top = Orientation(rawValue: "")
    public static let bottom = Orientation(rawValue: "")
    public static let front = Orientation(rawValue: "")
    public static let back = Orientation(rawValue: "")
    public static let left = Orientation(rawValue: "")
    public static let right = Orientation(rawValue: "")
  }
  public struct PolarPattern: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    // iOS 7, tvOS 9
    public static let omnidirectional = PolarPattern(rawValue: "")
    public static let cardioid = PolarPattern(rawValue: "")
    public static let subcardioid = PolarPattern(rawValue: "")
    #if !os(tvOS)
    // iOS 14, not tvOS
    public static let stereo = PolarPattern(rawValue: "")
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
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // iOS 6, tvOS 9
    public static var mixWithOthers: CategoryOptions { CategoryOptions(rawValue: 0x1) }
    // iOS 6, tvOS 9
    public static var duckOthers: CategoryOptions { CategoryOptions(rawValue: 0x2) }
    // iOS 1, tvOS 17; by this name since the SDK of iOS 26
    @available(tvOS 17.0, *)
    public static var allowBluetoothHFP: CategoryOptions { CategoryOptions(rawValue: 0x4) }
    #if !os(tvOS)
    // iOS 5, not tvOS
    public static var defaultToSpeaker: CategoryOptions { CategoryOptions(rawValue: 0x8) }
    #endif
    // iOS 9, tvOS 9; includes mixWithOthers
    public static var interruptSpokenAudioAndMixWithOthers: CategoryOptions {
      CategoryOptions(rawValue: 0x11)
    }
    // iOS 10, tvOS 10
    public static var allowBluetoothA2DP: CategoryOptions { CategoryOptions(rawValue: 0x20) }
    #if os(iOS)
    // iOS 26; not tvOS, visionOS
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
  public class func sharedInstance() -> AVAudioSession { fatalError() }
  public var category: Category { fatalError() }
  // iOS 5, tvOS 9
  public var mode: Mode { fatalError() }
  // iOS 6, tvOS 9
  public var categoryOptions: CategoryOptions { fatalError() }
  // iOS 10, tvOS 10
  public func setCategory(
    _ category: Category, mode: Mode, options: CategoryOptions
  ) throws { fatalError() }
  // iOS 6, tvOS 9
  public func setActive(_ active: Bool, options: SetActiveOptions) throws { fatalError() }
  public func setPreferredSampleRate(_ sampleRate: Double) throws { fatalError() }
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws { fatalError() }
  // iOS 7, tvOS 9
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws { fatalError() }
  // iOS 7, tvOS 9
  public func setPreferredInputNumberOfChannels(_ count: Int) throws { fatalError() }
  // iOS 7, tvOS 9
  public var preferredInputNumberOfChannels: Int { fatalError() }
  #if !os(tvOS)
  // iOS 14, not tvOS
  public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws { fatalError() }
  // iOS 14, not tvOS
  public var preferredInputOrientation: StereoOrientation { fatalError() }
  #endif
  // iOS 6, tvOS 9
  public var sampleRate: Double { fatalError() }
  public var inputNumberOfChannels: Int { fatalError() }
  public var outputNumberOfChannels: Int { fatalError() }
  public var inputLatency: TimeInterval { fatalError() }
  public var outputLatency: TimeInterval { fatalError() }
  public var ioBufferDuration: TimeInterval { fatalError() }
  public var isInputAvailable: Bool { fatalError() }
  public var currentRoute: AVAudioSessionRouteDescription { fatalError() }
  // iOS 7, tvOS 9
  public var availableInputs: [AVAudioSessionPortDescription]? { fatalError() }

  #if os(iOS)
  // iOS 8 to 17, not tvOS
  @available(iOS, deprecated: 17.0)
  public enum RecordPermission: UInt, Sendable {
    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }
  @available(iOS, deprecated: 17.0)
  public var recordPermission: RecordPermission { fatalError() }
  @available(iOS, deprecated: 17.0)
  public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    fatalError()
  }
  #endif

  // iOS 6 and 7, tvOS 9
  public class var interruptionNotification: Notification.Name { fatalError() }
  public class var routeChangeNotification: Notification.Name { fatalError() }
  public class var mediaServicesWereLostNotification: Notification.Name { fatalError() }
  public class var mediaServicesWereResetNotification: Notification.Name { fatalError() }
}

// iOS 6, tvOS 9; the reason of an interruption iOS 14.5, not tvOS
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
#if !os(tvOS)
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
#endif
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
#endif
