// swift-format-ignore-file
// A stub for Scripts/check-apple, imported into every file that it checks. It declares Apple's
// Swift additions to the C headers, and the functions whose parameters are objects, which the stubs
// in C cannot declare. It cannot be linked or run.

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
  public var boolValue: Bool
  public init(booleanLiteral value: Bool) { boolValue = value }
}

// ExtendedAudioFile.h, macOS 10.5, iOS 2.
public func ExtAudioFileOpenURL(
  _ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  #if SIMULATED_APPLE
  let path = inURL.path.map { CChar(bitPattern: $0) } + [0]
  return unsafe SimulatedExtAudioFileOpen(path, outExtAudioFile)
  #else
  fatalError()
  #endif
}

// ExtendedAudioFile.h, macOS 10.4, iOS 2.
public func ExtAudioFileGetPropertyInfo(
  _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  #if SIMULATED_APPLE
  var isWritable: UInt8 = 0
  let status = unsafe SimulatedExtAudioFileGetPropertyInfo(
    inExtAudioFile, inPropertyID, outSize, &isWritable)
  unsafe outWritable?.pointee.boolValue = isWritable != 0
  return status
  #else
  fatalError()
  #endif
}
