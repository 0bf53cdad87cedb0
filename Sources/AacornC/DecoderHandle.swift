import CAacorn

/// The base class of both decoders of the C API.
class DecoderHandle: Handle {
  private var borrowed = BorrowedBytes()
  /// The number of the next frame.
  private var position: Int64 = 0

  /// Appends bytes of a stream, or one unit.
  func push(_ bytes: [UInt8]) -> Int32 { Status.moment }

  func conceal() -> Int32 { Status.moment }

  func finish() -> Int32 { Status.moment }

  /// Lends the next samples to the caller.
  func pull(_ sound: UnsafeMutablePointer<aacorn_sound>) -> Int32 { Status.moment }

  /// Lends interleaved samples to the caller.
  final func lend(
    _ samples: [Float], sampleRate: Int, channelCount: Int, isConcealed: Bool,
    to sound: UnsafeMutablePointer<aacorn_sound>
  ) -> Int32 {
    let frameCount = samples.count / max(1, channelCount)
    borrowed.replace(with: samples)
    unsafe sound.pointee = aacorn_sound(
      samples: borrowed.pointer(to: Float.self), frame_count: frameCount,
      sample_rate: Int32(clamping: sampleRate), channels: Int32(clamping: channelCount),
      position: position, is_concealed: isConcealed ? 1 : 0, reserved: 0)
    position += Int64(frameCount)
    return Status.some
  }
}
