#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

#if canImport(Glibc)
/// The words in the memory of the process, with an empty one behind the last.
private typealias ArgumentVector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

// Written once, before anything else of the program runs.
private nonisolated(unsafe) var givenArguments: ArgumentVector?

/// Takes the words from the loader, which gives them to every function of this section.
///
/// The standard library reads them from a file in `/proc`, and has none where that is not mounted,
/// as in some containers.
@section(".init_array") @used
private let takeArguments: @convention(c) (CInt, ArgumentVector?, ArgumentVector?) -> Void = {
  _, words, _ in unsafe givenArguments = words
}
#endif

extension System {
  /// The words the process was started with, its own name first.
  package static var arguments: [String] {
    var arguments: [String] = []
    unsafe forEachArgument { start, count in
      unsafe arguments.append(PathText.decode(UnsafeRawBufferPointer(start: start, count: count)))
    }
    return arguments
  }

  /// Makes process listings (`ps`) show something else from now on in place of `text` in the
  /// command line of this process.
  ///
  /// The mask must be as long as the text. Only the system's copy changes, and anyone who looked
  /// earlier has seen it; this only narrows the window.
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

  /// Gives each word, in the memory of the process, and its length.
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
