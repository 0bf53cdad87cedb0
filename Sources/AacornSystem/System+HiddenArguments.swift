#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Makes process listings (`ps`) show something else from now on in place of `text` in the
  /// command line of this process.
  ///
  /// The mask must be as long as the text. Only the system's copy changes, and anyone who looked
  /// earlier has seen it; this only narrows the window.
  package static func hideInArguments(_ text: String, behind mask: String) {
    let wanted = PathText.encode(text)
    let mask = PathText.encode(mask)
    guard !wanted.isEmpty, wanted.count == mask.count else { return }
    for index in 0..<Int(CommandLine.argc) {
      guard let start = unsafe CommandLine.unsafeArgv[index] else { break }
      let count = unsafe strlen(start)
      guard count >= wanted.count else { continue }
      // The arguments are memory that the process may write to (C 5.1.2.2.1).
      let bytes = unsafe UnsafeMutableRawBufferPointer(start: start, count: count)
      for offset in 0...count - wanted.count
      where unsafe bytes[offset..<offset + wanted.count].elementsEqual(wanted) {
        for (index, byte) in mask.enumerated() { unsafe bytes[offset + index] = byte }
      }
    }
  }
}
