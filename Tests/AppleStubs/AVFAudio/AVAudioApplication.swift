// swift-format-ignore-file
// Part of the stub of Apple's AVFAudio: the declarations that this package uses, as Swift imports
// them. ../README.md documents the simulated behavior.

internal import SimulatedApple

// AVFAudio/AVAudioApplication.h, macOS 14, iOS 17, tvOS 17, watchOS 10
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
open class AVAudioApplication {
  // Apple's type has the name of the property, recordPermission. Swift does not allow that.
  public enum RecordPermission: Int, Sendable {
    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }

  nonisolated(unsafe) static let application = AVAudioApplication()
  public class var shared: AVAudioApplication {
    requireNewSystem()
    return unsafe application
  }
  // Not in Apple's headers: a call on an older system ends the test.
  private class func requireNewSystem() {
    #if SIMULATED_APPLE
    precondition(SimulatedSystem.has(newer: true))
    #endif
  }
  public var recordPermission: RecordPermission {
    switch SimulatedPhone.permission {
    case .undetermined: .undetermined
    case .denied: .denied
    case .granted: .granted
    }
  }
  public class func requestRecordPermission(
    completionHandler response: @escaping @Sendable (Bool) -> Void
  ) {
    requireNewSystem()
    SimulatedPhone.ask(response)
  }
}
