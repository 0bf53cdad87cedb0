// swift-format-ignore-file
// A stand-in for Apple's AVFoundation: the declarations that this package uses, in the form in which
// Swift sees them. README.md says what of it works.

#if os(macOS)
internal import SimulatedApple

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
