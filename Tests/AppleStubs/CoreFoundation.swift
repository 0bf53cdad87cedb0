// swift-format-ignore-file
// A stub of Apple's CoreFoundation for Scripts/check-apple: the declarations that this package uses,
// in the form in which Swift sees them, and nothing else. It is for checking types on other systems;
// nothing can be linked or run with it.

public final class CFString {}

// CFBase.h, macOS 10.0, iOS 2.
public typealias CFTypeRef = AnyObject
public final class CFAllocator {}

// CFDictionary.h, macOS 10.0, iOS 2.
public final class CFDictionary {}

public enum CFStringBuiltInEncodings: UInt32 {
  case UTF8 = 0x0800_0100
}

public func CFStringGetLength(_ theString: CFString) -> Int { fatalError() }

public func CFStringGetMaximumSizeForEncoding(_ length: Int, _ encoding: UInt32) -> Int {
  fatalError()
}

public func CFStringGetCString(
  _ theString: CFString, _ buffer: UnsafeMutablePointer<CChar>, _ bufferSize: Int,
  _ encoding: UInt32
) -> Bool { fatalError() }

// CFURL.h, macOS 10.0, iOS 2.
public final class CFURL {}

// CFURL.h, macOS 10.0, iOS 2.
public func CFURLCreateFromFileSystemRepresentation(
  _ allocator: CFAllocator?, _ buffer: UnsafePointer<UInt8>?, _ bufLen: Int, _ isDirectory: Bool
) -> CFURL? { fatalError() }

// CFData.h, macOS 10.0, iOS 2.
public final class CFData {}
public func CFDataCreate(
  _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: Int
) -> CFData? { fatalError() }

// CFArray.h, macOS 10.0, iOS 2.
public class CFArray {}
public final class CFMutableArray: CFArray {}
public struct CFArrayCallBacks {}
public var kCFTypeArrayCallBacks: CFArrayCallBacks { fatalError() }
public func CFArrayCreateMutable(
  _ allocator: CFAllocator?, _ capacity: Int, _ callBacks: UnsafePointer<CFArrayCallBacks>?
) -> CFMutableArray? { fatalError() }
public func CFArrayAppendValue(_ theArray: CFMutableArray?, _ value: UnsafeRawPointer?) {
  fatalError()
}

// CFError.h, macOS 10.5, iOS 2.
public final class CFError {}
public func CFErrorGetCode(_ err: CFError) -> Int { fatalError() }
