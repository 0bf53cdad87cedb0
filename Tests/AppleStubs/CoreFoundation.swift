// swift-format-ignore-file
// A stub of Apple's CoreFoundation: the declarations that this package uses, as Swift imports them.
// Strings work; the other declarations are for type checking. See README.md.

// CFString.h, macOS 10.0, iOS 2.
public final class CFString {
  public let text: String
  public init(_ text: String) { self.text = text }
}

// CFBase.h, macOS 10.0, iOS 2.
public typealias CFTypeRef = AnyObject
public typealias CFIndex = Int
public final class CFAllocator {}

// CFDictionary.h, macOS 10.0, iOS 2. Only numbers are supported.
public final class CFDictionary {
  public let numbers: [String: Int64]
  public init(_ numbers: [String: Int64]) { self.numbers = numbers }
}

// CFString.h, macOS 10.0, iOS 2.
public typealias CFStringEncoding = UInt32
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
  case UTF8 = 0x0800_0100
}

// In UTF-16 code units.
public func CFStringGetLength(_ theString: CFString!) -> CFIndex { theString.text.utf16.count }

public func CFStringGetMaximumSizeForEncoding(
  _ length: CFIndex, _ encoding: CFStringEncoding
) -> CFIndex {
  length * 3
}

public func CFStringGetCString(
  _ theString: CFString!, _ buffer: UnsafeMutablePointer<CChar>!, _ bufferSize: CFIndex,
  _ encoding: CFStringEncoding
) -> Bool {
  let bytes = Array(theString.text.utf8)
  guard encoding == CFStringBuiltInEncodings.UTF8.rawValue, bytes.count < bufferSize else {
    return false
  }
  for (index, byte) in bytes.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
  unsafe buffer[bytes.count] = 0
  return true
}

// CFURL.h, macOS 10.0, iOS 2. Only file URLs are supported.
public final class CFURL {
  public let path: [UInt8]
  public init(_ path: [UInt8]) { self.path = path }
}

// CFURL.h, macOS 10.0, iOS 2.
public func CFURLCreateFromFileSystemRepresentation(
  _ allocator: CFAllocator!, _ buffer: UnsafePointer<UInt8>!, _ bufLen: CFIndex,
  _ isDirectory: Bool
) -> CFURL! {
  guard let buffer = unsafe buffer, bufLen > 0 else { return nil }
  return CFURL((0..<bufLen).map { unsafe buffer[$0] })
}

// CFData.h, macOS 10.0, iOS 2.
public final class CFData {}
public func CFDataCreate(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! { fatalError() }

// CFArray.h, macOS 10.0, iOS 2.
public class CFArray {}
public final class CFMutableArray: CFArray {}
public struct CFArrayCallBacks {
  public init() {}
}
nonisolated(unsafe) public let kCFTypeArrayCallBacks = CFArrayCallBacks()
public func CFArrayCreateMutable(
  _ allocator: CFAllocator!, _ capacity: CFIndex, _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFMutableArray! { fatalError() }
public func CFArrayAppendValue(_ theArray: CFMutableArray!, _ value: UnsafeRawPointer!) {
  fatalError()
}

// CFError.h, macOS 10.5, iOS 2.
public final class CFError {}
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { fatalError() }
