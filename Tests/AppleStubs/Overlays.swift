// swift-format-ignore-file
// A stub for Scripts/check-apple, imported into every file it checks: what Apple's systems add to
// their headers for Swift, and what has objects in the headers that are stubs in C. Nothing can be
// linked or run with it.

public import AudioToolbox
public import CoreFoundation

#if !SIMULATED_APPLE
// errno.h, macOS 10.0, iOS 2; the overlay's form of a macro.
public var errno: Int32 {
  get { fatalError() }
  set { fatalError() }
}
#endif

// MacTypes.h, macOS 10.0, iOS 2; the overlay's form of `Boolean`.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Sendable {
  public init(booleanLiteral value: Bool) {}
  public var boolValue: Bool { fatalError() }
}

// ExtendedAudioFile.h, macOS 10.5, iOS 2.
public func ExtAudioFileOpenURL(
  _ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  // 'typ?': no type of file is known to a simulation.
  0x7479_703F
}

// ExtendedAudioFile.h, macOS 10.4, iOS 2.
public func ExtAudioFileGetPropertyInfo(
  _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus { fatalError() }
