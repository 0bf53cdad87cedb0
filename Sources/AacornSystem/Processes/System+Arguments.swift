#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

#if canImport(Glibc)
/// The arguments in the memory of the process, with a null pointer after the last one.
private typealias ArgumentVector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

// Written once, before any other code of the program runs.
private nonisolated(unsafe) var givenArguments: ArgumentVector?

/// Stores the arguments from the loader, which passes them to every function in this section.
///
/// The standard library reads them from a file in `/proc`, and fails where `/proc` is not mounted,
/// as in some containers.
@section(".init_array") @used
private let takeArguments: @convention(c) (CInt, ArgumentVector?, ArgumentVector?) -> Void = {
  _, words, _ in unsafe givenArguments = words
}
#endif

extension System {
  /// The command line of the process, its own name first.
  package static var arguments: [String] {
    var arguments: [String] = []
    unsafe forEachArgument { start, count in
      unsafe arguments.append(PathText.decode(UnsafeRawBufferPointer(start: start, count: count)))
    }
    return arguments
  }

  /// Replaces `text` with `mask` in the command line that process listings (`ps`) show from now on.
  ///
  /// The mask must be as long as the text. Only the system's copy of the arguments changes. A
  /// program that listed processes earlier may have seen the text; this only shortens the exposure.
  package static func hideInArguments(_ text: String, behind mask: String) {
    let wanted = PathText.encode(text)
    let mask = PathText.encode(mask)
    guard !wanted.isEmpty, wanted.count == mask.count else { return }
    unsafe forEachArgument { start, count in
      guard count >= wanted.count else { return }
      // The arguments are memory that the process may write to (C 5.1.2.2.1).
      let bytes = unsafe UnsafeMutableRawBufferPointer(start: start, count: count)
      for offset in 0...count - wanted.count
      where unsafe bytes[offset..<offset + wanted.count].elementsEqual(wanted) {
        for (index, byte) in mask.enumerated() { unsafe bytes[offset + index] = byte }
      }
    }
  }

  /// Calls `body` with each argument in the memory of the process, and its length.
  private static func forEachArgument(_ body: (UnsafeMutablePointer<CChar>, Int) -> Void) {
    #if canImport(Glibc)
    guard var next = unsafe givenArguments else { return }
    #else
    var next = unsafe CommandLine.unsafeArgv
    #endif
    while let start = unsafe next.pointee {
      unsafe body(start, strlen(start))
      unsafe next += 1
    }
  }
}
