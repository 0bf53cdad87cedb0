// swift-format-ignore-file
// A stub of Apple's AVFoundation for Scripts/check-apple: the declarations that this package uses, in
// the form in which Swift sees them, and nothing else. It is for checking types on other systems;
// nothing can be linked or run with it.

#if os(macOS)
// AVMediaFormat.h, macOS 10.7, iOS 4.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let audio = AVMediaType(rawValue: "soun")
}

// AVCaptureDevice.h, macOS 10.14, iOS 7.
public enum AVAuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorized = 3
}

// AVCaptureDevice.h, macOS 10.7, iOS 4; what is declared here macOS 10.14, iOS 7.
open class AVCaptureDevice {
  public class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    fatalError()
  }
  public class func requestAccess(
    for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) { fatalError() }
}
#endif
