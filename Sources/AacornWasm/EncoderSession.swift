import AACCodec
import AACFormat

/// One encoder that JavaScript drives, with the memory through which the two exchange bytes.
final class EncoderSession {
  private var encoder: Encoder
  private var input = ByteBuffer()
  private var unit = AccessUnit()
  private var output = ByteBuffer()
  private(set) var trim: Trim?

  init(_ configuration: Encoder.Configuration) throws(EncoderError) {
    encoder = try Encoder(configuration)
  }

  /// Memory for `byteCount` bytes of samples, which stays where it is until the next call.
  func inputBuffer(byteCount: Int) -> UnsafeMutableRawPointer? {
    input.reserve(byteCount)
    return unsafe input.start
  }

  /// Encodes interleaved samples at the start of the input buffer; false if they do not fit in it.
  func encode<Sample: BitwiseCopyable>(
    _ sampleCount: Int, _ encode: (inout Encoder, Span<Sample>) -> Void
  ) -> Bool {
    let (byteCount, overflow) = sampleCount.multipliedReportingOverflow(
      by: MemoryLayout<Sample>.stride)
    guard sampleCount >= 0, !overflow, byteCount <= input.capacity else { return false }
    guard sampleCount > 0, let start = unsafe input.start else { return true }
    let samples = unsafe UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: Sample.self), count: sampleCount)
    unsafe encode(&encoder, samples.span)
    return true
  }

  /// Moves the next unit to `output`; returns its length, or nil until more samples come.
  func nextUnit() -> Int? {
    guard encoder.nextAccessUnit(into: &unit) else { return nil }
    output.replace(with: unit.bytes)
    return unit.bytes.count
  }

  /// Puts the decoder's configuration into `output`; returns its length.
  func putConfiguration() -> Int {
    let bytes = encoder.audioSpecificConfig.bytes
    output.replace(with: bytes)
    return bytes.count
  }

  /// What was put out last.
  var outputStart: UnsafeMutableRawPointer? { unsafe output.start }

  /// Ends the input.
  func finish() {
    if trim == nil { trim = encoder.finish() }
  }
}
