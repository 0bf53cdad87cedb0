import AACCodec
import AACFormat

// The functions that JavaScript calls. Encoders are known by handles, 1 and up; a handle that names
// none gets `Failure.unknownHandle` and does no harm.
//
//     handle = aacorn_encoder_create(rate, channels, mode, value, effort)
//     samples → memory at aacorn_encoder_input(handle, byteCount)
//     aacorn_encoder_encode_int16(handle, sampleCount)
//     while ((length = aacorn_encoder_next(handle)) > 0) bytes ← memory at aacorn_encoder_output(handle)
//     aacorn_encoder_finish(handle), then the units that are left
//     aacorn_encoder_destroy(handle)
//
// Growing memory detaches JavaScript's views of it: take a new view after every call.

/// Why a call was refused.
private enum Failure {
  static let sampleRate: Int32 = -1
  static let channelCount: Int32 = -2
  static let bitrate: Int32 = -3
  static let bandwidth: Int32 = -4
  static let level: Int32 = -5
  static let mode: Int32 = -6
  static let effort: Int32 = -7
  static let unknownHandle: Int32 = -8
  static let tooManySamples: Int32 = -9
}

private nonisolated(unsafe) var sessions: [EncoderSession?] = []

private func session(_ handle: Int32) -> EncoderSession? {
  let index = Int(handle) &- 1
  return unsafe sessions.indices.contains(index) ? sessions[index] : nil
}

/// The version of this interface.
@c(aacorn_version)
func interfaceVersion() -> Int32 { 1 }

/// Makes an encoder.
///
/// - Parameters:
///   - sampleRate: Samples a second and channel.
///   - channelCount: Channels, in the order of a WAV file.
///   - mode: 0 for a constant bitrate, 1 for an average one, 2 for a variable one.
///   - value: Bits a second, or the level 1…5 of a variable bitrate.
///   - effort: 0 fast, 1 balanced, 2 best.
/// - Returns: A handle, or a negative number that tells what cannot be done.
@c(aacorn_encoder_create)
func createEncoder(
  _ sampleRate: Int32, _ channelCount: Int32, _ mode: Int32, _ value: Int32, _ effort: Int32
) -> Int32 {
  let control: Encoder.RateControl
  switch mode {
  case 0: control = .constant(bitsPerSecond: Int(value))
  case 1: control = .average(bitsPerSecond: Int(value))
  case 2: control = .variable(level: Int(value))
  default: return Failure.mode
  }
  guard Encoder.Effort.allCases.indices.contains(Int(effort)) else { return Failure.effort }
  let configuration = Encoder.Configuration(
    sampleRate: Int(sampleRate), channelCount: Int(channelCount), rateControl: control,
    effort: Encoder.Effort.allCases[Int(effort)])
  do throws(EncoderError) {
    let session = try EncoderSession(configuration)
    if let free = unsafe sessions.firstIndex(where: { $0 == nil }) {
      unsafe sessions[free] = session
      return Int32(free + 1)
    }
    unsafe sessions.append(session)
    return unsafe Int32(sessions.count)
  } catch {
    switch error {
    case .unsupportedSampleRate: return Failure.sampleRate
    case .unsupportedChannelCount: return Failure.channelCount
    case .bitrateOutOfRange: return Failure.bitrate
    case .bandwidthOutOfRange: return Failure.bandwidth
    case .levelOutOfRange: return Failure.level
    }
  }
}

/// Forgets an encoder and gives its memory back.
@c(aacorn_encoder_destroy)
func destroyEncoder(_ handle: Int32) {
  if session(handle) != nil { unsafe sessions[Int(handle) - 1] = nil }
}

/// Memory for `byteCount` bytes of samples, aligned for any of them; null if there is no encoder.
///
/// It stays the same until this function is called again for more bytes.
@c(aacorn_encoder_input)
func inputBuffer(_ handle: Int32, _ byteCount: Int32) -> UnsafeMutableRawPointer? {
  unsafe session(handle)?.inputBuffer(byteCount: max(1, Int(byteCount)))
}

/// Encodes 16-bit samples, interleaved, from the start of the input; returns 0 or a failure.
@c(aacorn_encoder_encode_int16)
func encodeInt16(_ handle: Int32, _ sampleCount: Int32) -> Int32 {
  guard let session = session(handle) else { return Failure.unknownHandle }
  let isDone = session.encode(Int(sampleCount)) { (encoder, samples: Span<Int16>) in
    encoder.encode(interleaved: samples)
  }
  return isDone ? 0 : Failure.tooManySamples
}

/// Encodes samples from −1 to 1, interleaved, from the start of the input; returns 0 or a failure.
@c(aacorn_encoder_encode_float)
func encodeFloat(_ handle: Int32, _ sampleCount: Int32) -> Int32 {
  guard let session = session(handle) else { return Failure.unknownHandle }
  let isDone = session.encode(Int(sampleCount)) { (encoder, samples: Span<Float>) in
    encoder.encode(interleaved: samples)
  }
  return isDone ? 0 : Failure.tooManySamples
}

/// Puts the next access unit into the output.
///
/// Returns its length, 0 until more samples come, or a failure.
@c(aacorn_encoder_next)
func nextAccessUnit(_ handle: Int32) -> Int32 {
  guard let session = session(handle) else { return Failure.unknownHandle }
  return Int32(session.nextUnit() ?? 0)
}

/// Puts the AudioSpecificConfig into the output; returns its length or a failure.
@c(aacorn_encoder_config)
func putConfiguration(_ handle: Int32) -> Int32 {
  guard let session = session(handle) else { return Failure.unknownHandle }
  return Int32(session.putConfiguration())
}

/// Where the bytes are that were put out last; valid until the next call.
@c(aacorn_encoder_output)
func outputBuffer(_ handle: Int32) -> UnsafeMutableRawPointer? {
  unsafe session(handle)?.outputStart
}

/// Ends the input and returns 0 or a failure; the units that remain are then to be taken.
@c(aacorn_encoder_finish)
func finishEncoder(_ handle: Int32) -> Int32 {
  guard let session = session(handle) else { return Failure.unknownHandle }
  session.finish()
  return 0
}

/// Samples a channel that a decoder has to drop at the start; 0 before the end of the input.
@c(aacorn_encoder_priming)
func priming(_ handle: Int32) -> Int32 {
  Int32(truncatingIfNeeded: session(handle)?.trim?.priming ?? 0)
}

/// Samples a channel that a decoder has to drop at the end; 0 before the end of the input.
@c(aacorn_encoder_remainder)
func remainder(_ handle: Int32) -> Int32 {
  Int32(truncatingIfNeeded: session(handle)?.trim?.remainder ?? 0)
}
