import CAacorn

/// The destination of a file's bytes: a function of the program, or memory.
@safe
struct WriterOutput {
  private let settings: aacorn_writer_settings
  let isMemory: Bool
  /// All bytes if they are stored in memory, otherwise empty.
  private(set) var bytes: [UInt8] = []

  init(_ settings: aacorn_writer_settings) {
    unsafe self.settings = settings
    isMemory = unsafe settings.write == nil
  }

  mutating func put(_ new: [UInt8], at offset: UInt64) throws(CallError) {
    if new.isEmpty { return }
    if isMemory {
      store(new, at: Int(offset))
      return
    }
    let settings = unsafe self.settings
    let result = unsafe new.withUnsafeBufferPointer {
      unsafe settings.write?(settings.context, offset, $0.baseAddress, $0.count)
    }
    if result != 0 {
      throw CallError(
        Status.write,
        "The function write failed and returned \(result ?? 0).")
    }
  }

  private mutating func store(_ new: [UInt8], at offset: Int) {
    let end = offset + new.count
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(offset..<end, with: new)
  }
}
