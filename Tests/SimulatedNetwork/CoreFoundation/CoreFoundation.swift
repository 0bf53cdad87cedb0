// swift-format-ignore-file
// The names are Apple's, and documented there.

// Bytes, arrays and errors as C has them on Apple's systems.

public final class CFAllocator {}

public final class CFData {
  package let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

public func CFDataCreate(
  _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: Int
) -> CFData? { CFData(Array(UnsafeBufferPointer(start: bytes, count: length))) }

public class CFArray {
  package fileprivate(set) var values: [AnyObject] = []
}

public final class CFMutableArray: CFArray {
  fileprivate override init() {}
}

public struct CFArrayCallBacks {}
public var kCFTypeArrayCallBacks: CFArrayCallBacks { CFArrayCallBacks() }

/// An array that holds on to what is in it, as it does with these callbacks.
public func CFArrayCreateMutable(
  _ allocator: CFAllocator?, _ capacity: Int, _ callBacks: UnsafePointer<CFArrayCallBacks>?
) -> CFMutableArray? {
  precondition(callBacks != nil, "Without callbacks the array would not hold on to its values.")
  return CFMutableArray()
}

public func CFArrayAppendValue(_ theArray: CFMutableArray?, _ value: UnsafeRawPointer?) {
  guard let theArray, let value else { return }
  theArray.values.append(Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue())
}

public final class CFError {
  let code: Int
  package init(code: Int) { self.code = code }
}

public func CFErrorGetCode(_ err: CFError) -> Int { err.code }
