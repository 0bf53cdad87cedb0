// swift-format-ignore-file
// A stub of Apple's AVFoundation: the declarations that this package uses, as Swift imports them.
// README.md documents which of them work.

#if !os(watchOS)
public import CoreMedia
public import Foundation
#endif

// AVMediaFormat.h, macOS 10.7, iOS 4.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let audio = AVMediaType(rawValue: "soun")
}

#if !os(watchOS)
// AVMediaFormat.h, macOS 10.7, iOS 4.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
}

// AVAssetWriter.h, macOS 10.7, iOS 4.1, tvOS 9; not on watches.
open class AVAssetWriter {
  public init(outputURL: URL, fileType outputFileType: AVFileType) throws { fatalError() }
  public enum Status: Int, Sendable {
    case unknown = 0
    case writing = 1
    case completed = 2
    case failed = 3
    case cancelled = 4
  }
  public var status: Status { fatalError() }
  public var error: (any Error)? { fatalError() }
  public func add(_ input: AVAssetWriterInput) { fatalError() }
  public func startWriting() -> Bool { fatalError() }
  public func startSession(atSourceTime startTime: CMTime) { fatalError() }
  public func endSession(atSourceTime endTime: CMTime) { fatalError() }
  // macOS 10.9, iOS 6, tvOS 9
  public func finishWriting() async { fatalError() }
}

// AVAssetWriterInput.h, macOS 10.7, iOS 4.1, tvOS 9; the format hint macOS 10.8, iOS 6; not on watches.
open class AVAssetWriterInput {
  public init(
    mediaType: AVMediaType, outputSettings: [String: Any]?,
    sourceFormatHint: CMFormatDescription? = nil
  ) { fatalError() }
  public var expectsMediaDataInRealTime: Bool
  public var isReadyForMoreMediaData: Bool { fatalError() }
  public func append(_ sampleBuffer: CMSampleBuffer) -> Bool { fatalError() }
  public func markAsFinished() { fatalError() }
}
#endif

#if os(macOS)
internal import SimulatedApple

// AVCaptureDevice.h, macOS 10.14, iOS 7.
public enum AVAuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorized = 3
}

// AVCaptureDevice.h, macOS 10.14, iOS 7; the class is older.
open class AVCaptureDevice {
  public class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    switch SimulatedPhone.permission {
    case .undetermined: .notDetermined
    case .denied: .denied
    case .granted: .authorized
    }
  }
  public class func requestAccess(
    for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) { SimulatedPhone.ask(handler) }
}
#endif
