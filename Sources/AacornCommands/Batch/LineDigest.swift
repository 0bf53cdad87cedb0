/// A fast digest of a sequence of lines, comparable only within one process.
struct LineDigest: Equatable, Sendable {
  private var value = 0

  /// Adds a line without its newline.
  mutating func append(_ line: ArraySlice<UInt8>) {
    var hasher = Hasher()
    hasher.combine(value)
    hasher.combine(line.count)
    unsafe line.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    value = hasher.finalize()
  }
}
