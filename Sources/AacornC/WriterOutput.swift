import CAacorn

/// Where the bytes of a file go: to a function of the program, or into memory.
@safe
struct WriterOutput {
  private let settings: aacorn_writer_settings
  /// Whether they stay in memory.
  let isMemory: Bool
  /// All of them, if they do.
  private(set) var bytes: [UInt8] = []

  /// What the settings say.
  init(_ settings: aacorn_writer_settings) {
    unsafe self.settings = settings
    isMemory = unsafe settings.write == nil
  }

  /// Puts bytes at their place in the file.
  mutating func put(_ new: [UInt8], at offset: UInt64) throws(Refusal) {
    if new.isEmpty { return }
    if isMemory {
      place(new, at: Int(offset))
      return
    }
    let settings = unsafe self.settings
    let result = unsafe new.withUnsafeBufferPointer {
      unsafe settings.write?(settings.context, offset, $0.baseAddress, $0.count)
    }
    if result != 0 {
      throw Refusal(
        Status.write,
        "The function that takes the file's bytes reported the failure \(result ?? 0).")
    }
  }

  private mutating func place(_ new: [UInt8], at offset: Int) {
    let end = offset + new.count
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(offset..<end, with: new)
  }
}
