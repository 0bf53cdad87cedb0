import AacornSignal

/// An object created by JavaScript and identified by a handle, with memory to exchange bytes.
class Session {
  private let input = ByteBuffer()
  private let output = ByteBuffer()
  /// The file offset of the bytes that the session requests.
  final var wantedOffset: UInt64 = 0
  /// The number of bytes that the session requests; 0 without a request.
  final var wantedCount = 0

  /// The maximum size of the input in bytes, so that a mistake cannot use up all memory.
  private static let inputLimit = 1 << 26

  /// Returns memory for `byteCount` bytes at an address that is valid until the next call.
  final func inputBuffer(byteCount: Int) -> UnsafeMutableRawPointer? {
    guard byteCount >= 0, byteCount <= Self.inputLimit else { return nil }
    input.reserve(max(1, byteCount))
    return unsafe input.start
  }

  final var outputStart: UnsafeMutableRawPointer? { unsafe output.start }

  /// Copies values to the output and returns their number.
  final func put<Value: BitwiseCopyable>(_ values: [Value]) -> Int32 {
    output.replace(with: values)
    return Int32(values.count)
  }

  /// Outputs `count` values written by `fill`; returns their number.
  final func put<Value: BitwiseCopyable>(
    _ count: Int, as type: Value.Type, _ fill: (inout MutableSpan<Value>) -> Void
  ) -> Int32 {
    output.reserve(count * MemoryLayout<Value>.stride)
    guard count > 0, let start = unsafe output.start else { return 0 }
    let values = unsafe UnsafeMutableBufferPointer(
      start: start.assumingMemoryBound(to: Value.self), count: count)
    var span = unsafe values.mutableSpan
    fill(&span)
    return Int32(count)
  }

  /// Calls `body` with values from the start of the input; returns false if the input is too short.
  final func withInput<Value: BitwiseCopyable>(
    _ count: Int, as type: Value.Type, _ body: (Span<Value>) -> Void
  ) -> Bool {
    let (byteCount, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
    guard count >= 0, !overflow, byteCount <= input.capacity else { return false }
    guard count > 0 else { return true }
    unsafe body(UnsafeBufferPointer(start: input.pointer(to: type), count: count).span)
    return true
  }

  /// Returns bytes from the start of the input, or nil if it is too short.
  final func bytes(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    return copy(count, to: &bytes) ? bytes : nil
  }

  /// Replaces `bytes` with bytes from the start of the input; returns false if it is too short.
  final func copy(_ count: Int, to bytes: inout [UInt8]) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    return withInput(count, as: UInt8.self) { span in
      bytes.reserveCapacity(span.count)
      unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
  }

  // The kind of session: a cast would require metadata that Embedded Swift does not have.
  var asEncoder: EncoderSession? { nil }
  var asSource: SourceSession? { nil }
  var asInspector: InspectorSession? { nil }
  var asConversion: ConversionSession? { nil }
  var asColumns: ColumnSession? { nil }
  var asDecoder: DecoderSession? { nil }
  var asSound: SoundSession? { nil }
  var asTags: TagSession? { nil }
}

/// All sessions.
///
/// A handle is an index in this list, counted from 1.
enum Sessions {
  private nonisolated(unsafe) static var list: [Session?] = []

  /// The maximum number of used bytes at which another session is stored, a quarter of the
  /// addressable memory.
  ///
  /// A failed allocation would end the module, and with it all sessions, so they keep room to grow.
  private static let memoryLimit: UInt = 1 << 30

  static subscript(handle: Int32) -> Session? {
    let index = Int(handle) &- 1
    return unsafe list.indices.contains(index) ? list[index] : nil
  }

  /// Stores a session and returns its handle, or a failure if the open sessions use too much
  /// memory.
  static func add(_ session: Session) -> Int32 {
    guard Allocator.usedByteCount <= memoryLimit else { return Failure.memory }
    if let free = unsafe list.firstIndex(where: { $0 == nil }) {
      unsafe list[free] = session
      return Int32(free + 1)
    }
    unsafe list.append(session)
    return unsafe Int32(list.count)
  }

  /// Removes a session, which frees its memory.
  static func remove(_ handle: Int32) {
    if Sessions[handle] != nil { unsafe list[Int(handle) - 1] = nil }
  }
}
