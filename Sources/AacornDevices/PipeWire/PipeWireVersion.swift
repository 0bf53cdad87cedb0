#if os(Linux)
/// A version of PipeWire, such as 1.0.5.
package struct PipeWireVersion: Comparable, Sendable {
  package let major: Int
  package let minor: Int
  package let micro: Int

  package init(_ major: Int, _ minor: Int, _ micro: Int) {
    self.major = major
    self.minor = minor
    self.micro = micro
  }

  /// Parses a version; nil if the text does not begin with two numbers.
  package init?(_ text: String) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
      Int(part.prefix { "0"..."9" ~= $0 })
    }
    guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1] else { return nil }
    self.init(major, minor, numbers.count > 2 ? numbers[2] ?? 0 : 0)
  }

  package static func < (first: Self, second: Self) -> Bool {
    (first.major, first.minor, first.micro) < (second.major, second.minor, second.micro)
  }
}

extension PipeWireVersion: CustomStringConvertible {
  package var description: String { "\(major).\(minor).\(micro)" }
}
#endif
