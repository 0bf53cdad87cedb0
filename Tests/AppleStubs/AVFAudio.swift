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
open class AVAudioSessionChannelDescription {}

open class AVAudioSessionPortDescription {
  public var portType: AVAudioSession.Port { fatalError() }
  public var portName: String { fatalError() }
  public var uid: String { fatalError() }
  public var channels: [AVAudioSessionChannelDescription]? { fatalError() }
}

open class AVAudioSessionRouteDescription {
  public var inputs: [AVAudioSessionPortDescription] { fatalError() }
  public var outputs: [AVAudioSessionPortDescription] { fatalError() }
}

open class AVAudioSession {
  public struct Category: Hashable, Sendable {
    public static let soloAmbient = Category()
    public static let playback = Category()
    public static let record = Category()
    public static let playAndRecord = Category()
  }
  public struct Mode: Sendable {
    public static let `default` = Mode()
    public static let voiceChat = Mode()
  }
  public struct Port: Sendable {
    public var rawValue: String { fatalError() }
  }
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var mixWithOthers: CategoryOptions { CategoryOptions(rawValue: 1) }
    public static var allowBluetoothHFP: CategoryOptions { CategoryOptions(rawValue: 4) }
    public static var defaultToSpeaker: CategoryOptions { CategoryOptions(rawValue: 8) }
  }
  public struct SetActiveOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var notifyOthersOnDeactivation: SetActiveOptions { SetActiveOptions(rawValue: 1) }
  }

  public class func sharedInstance() -> AVAudioSession { fatalError() }
  public var category: Category { fatalError() }
  public var categoryOptions: CategoryOptions { fatalError() }
  public func setCategory(
    _ category: Category, mode: Mode, options: CategoryOptions
  ) throws { fatalError() }
  public func setActive(_ active: Bool, options: SetActiveOptions) throws { fatalError() }
  public func setPreferredSampleRate(_ sampleRate: Double) throws { fatalError() }
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws { fatalError() }
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws { fatalError() }
  public var sampleRate: Double { fatalError() }
  public var inputNumberOfChannels: Int { fatalError() }
  public var outputNumberOfChannels: Int { fatalError() }
  public var inputLatency: TimeInterval { fatalError() }
  public var outputLatency: TimeInterval { fatalError() }
  public var ioBufferDuration: TimeInterval { fatalError() }
  public var isInputAvailable: Bool { fatalError() }
  public var currentRoute: AVAudioSessionRouteDescription { fatalError() }
  public var availableInputs: [AVAudioSessionPortDescription]? { fatalError() }

  public class var interruptionNotification: Notification.Name { fatalError() }
  public class var routeChangeNotification: Notification.Name { fatalError() }
  public class var mediaServicesWereLostNotification: Notification.Name { fatalError() }
  public class var mediaServicesWereResetNotification: Notification.Name { fatalError() }
}

public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
#endif
