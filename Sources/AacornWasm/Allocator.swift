// On other platforms, the system provides an allocator and these functions.
#if arch(wasm32)

import WebAssemblyMemory

/// The Swift runtime's allocator: free lists by size, on top of `memory.grow`.
///
///     [ padding | start | class | 16-byte aligned bytes … ]
///                 4 B     4 B   ^ the returned address
///
/// Block sizes are 2ⁿ bytes, header included, and one list contains the free blocks of each size. A
/// freed block serves the next request of its size and is never split or joined. Memory therefore
/// does not grow while encoders are created and closed, and neither `allocate` nor `free` searches.
enum Allocator {
  /// The first free block of each size; a free block starts with the address of the next one.
  private nonisolated(unsafe) static var freeLists: [32 of UInt] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]
  /// The start of the memory that was never part of a block.
  private nonisolated(unsafe) static var fresh: UInt = 0
  private nonisolated(unsafe) static var used: UInt = 0
  /// The end of the memory that was never part of a block.
  private nonisolated(unsafe) static var limit: UInt = 0

  /// The total size of the allocated blocks, headers included.
  static var usedByteCount: UInt { unsafe used }

  private static let smallestClass = 5
  private static let largestClass = 30
  private static let headerSize: UInt = 8
  private static let pageSize: UInt = 65_536

  /// Allocates `size` bytes with an alignment that is a power of two; returns nil if memory runs
  /// out.
  static func allocate(_ size: UInt, alignment: UInt) -> UnsafeMutableRawPointer? {
    let alignment = max(alignment, 16)
    let (needed, overflow) = size.addingReportingOverflow(headerSize + alignment - 1)
    guard !overflow, needed <= 1 << largestClass else { return nil }
    let sizeClass = max(smallestClass, UInt.bitWidth - (needed - 1).leadingZeroBitCount)
    guard let start = takeFree(sizeClass) ?? carve(1 << UInt(sizeClass)) else { return nil }
    let address = (start + headerSize + alignment - 1) & ~(alignment - 1)
    guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    unsafe used &+= 1 << UInt(sizeClass)
    unsafe pointer.storeBytes(of: start, toByteOffset: -8, as: UInt.self)
    unsafe pointer.storeBytes(of: UInt(sizeClass), toByteOffset: -4, as: UInt.self)
    return unsafe pointer
  }

  static func free(_ pointer: UnsafeMutableRawPointer) {
    let start = unsafe pointer.load(fromByteOffset: -8, as: UInt.self)
    let sizeClass = unsafe Int(pointer.load(fromByteOffset: -4, as: UInt.self))
    guard let block = unsafe UnsafeMutableRawPointer(bitPattern: start) else { return }
    unsafe used &-= 1 << UInt(sizeClass)
    unsafe block.storeBytes(of: freeLists[sizeClass], as: UInt.self)
    unsafe freeLists[sizeClass] = start
  }

  private static func takeFree(_ sizeClass: Int) -> UInt? {
    let start = unsafe freeLists[sizeClass]
    guard let block = unsafe UnsafeMutableRawPointer(bitPattern: start) else { return nil }
    unsafe freeLists[sizeClass] = block.load(as: UInt.self)
    return start
  }

  /// Allocates `size` bytes, a power of two, at the end of the used memory.
  private static func carve(_ size: UInt) -> UInt? {
    if unsafe limit - fresh < size {
      let pages = (size + pageSize - 1) / pageSize
      let before = aacorn_memory_grow(pages)
      guard before != UInt.max else { return nil }
      // The remainder before the new pages stays usable if the new pages directly follow it. They
      // do not follow it the first time, or after JavaScript itself has grown the memory.
      if unsafe limit != before * pageSize { unsafe fresh = before * pageSize }
      unsafe limit = (before + pages) * pageSize
    }
    let start = unsafe fresh
    unsafe fresh += size
    return start
  }
}

// The C library functions that compiled Swift code calls. Copying and filling become single
// WebAssembly instructions, so these functions do not call themselves.

@c(posix_memalign)
func allocateAligned(
  _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, alignment: UInt, size: UInt
) -> Int32 {
  let pointer = unsafe Allocator.allocate(size, alignment: alignment)
  unsafe result.pointee = pointer
  // ENOMEM
  return unsafe pointer == nil ? 12 : 0
}

// The compiler reserves the name `free`, so the linker redirects calls to this function.
@c(__wrap_free)
func freeMemory(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer = unsafe pointer { unsafe Allocator.free(pointer) }
}

@c(memcpy)
func copyMemory(
  to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer, count: UInt
) -> UnsafeMutableRawPointer {
  unsafe target.copyMemory(from: source, byteCount: Int(bitPattern: count))
  return unsafe target
}

@c(memmove)
func moveMemory(
  to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer, count: UInt
) -> UnsafeMutableRawPointer {
  unsafe target.copyMemory(from: source, byteCount: Int(bitPattern: count))
  return unsafe target
}

@c(memset)
func fillMemory(
  _ target: UnsafeMutableRawPointer, with value: Int32, count: UInt
) -> UnsafeMutableRawPointer {
  unsafe target.initializeMemory(
    as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: Int(bitPattern: count))
  return unsafe target
}

// A function of the compiler's runtime library, called where 64-bit multiplications are checked for
// overflow.

/// Multiplies two 128-bit numbers, low halves first, and returns the low 128 bits.
///
/// Uses 32-bit parts without overflow checks, because a checked multiplication calls this function.
@c(__multi3)
func multiplyWide(
  into result: UnsafeMutablePointer<UInt64>, _ a: UInt64, aHigh: UInt64, _ b: UInt64, bHigh: UInt64
) {
  let mask: UInt64 = 0xFFFF_FFFF
  let lowest = (a & mask) &* (b & mask)
  let middle = (a &>> 32) &* (b & mask) &+ (lowest &>> 32)
  let other = (a & mask) &* (b &>> 32) &+ (middle & mask)
  unsafe result[0] = (other &<< 32) | (lowest & mask)
  let carried = (a &>> 32) &* (b &>> 32) &+ (middle &>> 32) &+ (other &>> 32)
  unsafe result[1] = carried &+ a &* bHigh &+ aHigh &* b
}

#else

/// The system's allocator, which needs no limit.
enum Allocator {
  static var usedByteCount: UInt { 0 }
}

#endif
