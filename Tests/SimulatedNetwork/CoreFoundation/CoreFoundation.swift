// swift-format-ignore-file
// Apple documents these declarations.

// Bytes, arrays and errors of the C interfaces of Apple's systems.

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

/// Creates an array that retains its values, as with these callbacks.
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
