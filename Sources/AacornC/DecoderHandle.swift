import AacornCodec
import AacornContainers
import AacornSignal
import CAacorn

/// The base class of both decoders of the C API.
class DecoderHandle: Handle {
  /// The last output, which the program may read until the next call.
  private let borrowed = ByteBuffer()
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

/// A decoder of single access units without headers.
final class UnitDecoderHandle: DecoderHandle {
  private var decoder: AACDecoder
  private var samples: [Float] = []
  /// Whether a pushed unit has not been pulled yet.
  private var hasUnit = false
  private var isConcealed = false
  private var isFinished = false

  private init(_ decoder: AACDecoder) { self.decoder = decoder }

  static func create(
    _ bytes: [UInt8], _ options: AACDecoder.Options
  ) throws(CallError) -> UnitDecoderHandle {
    guard let configuration = AudioSpecificConfig(parsing: bytes) else {
      throw .withoutConfiguration
    }
    do throws(DecoderError) {
      return UnitDecoderHandle(try AACDecoder(configuration, options: options))
    } catch {
      throw CallError(error)
    }
  }

  override func push(_ bytes: [UInt8]) -> Int32 {
    if let error = sequenceError() { return fail(error) }
    isConcealed = decoder.decode(bytes) != .decoded
    hasUnit = true
    return Status.ok
  }

  override func conceal() -> Int32 {
    if let error = sequenceError() { return fail(error) }
    decoder.conceal()
    isConcealed = true
    hasUnit = true
    return Status.ok
  }

  override func finish() -> Int32 {
    isFinished = true
    return Status.ok
  }

  override func pull(_ sound: UnsafeMutablePointer<aacorn_sound>) -> Int32 {
    guard hasUnit else { return Status.ok }
    hasUnit = false
    samples.removeAll(keepingCapacity: true)
    decoder.append(to: &samples)
    // A damaged unit may arrive before the first unit that defines the channels.
    if samples.isEmpty { return Status.ok }
    return unsafe lend(
      samples, sampleRate: decoder.sampleRate, channelCount: decoder.channelCount,
      isConcealed: isConcealed, to: sound)
  }

  /// Returns the reason for rejecting a unit now, or nil.
  private func sequenceError() -> CallError? {
    if isFinished {
      return CallError(
        Status.moment, "The decoder was finished: create another one for more units.")
    }
    if hasUnit {
      return CallError(
        Status.moment, "A unit is pending: pull its samples before you push the next.")
    }
    return nil
  }
}

/// A decoder of files and streams.
final class StreamDecoderHandle: DecoderHandle {
  private let options: CodedAudioReader.Options
  private var reader: CodedAudioReader
  private var input = PushedBytes()
  private var hasBegun = false
  private var isFinished = false
  private var sampleRate = 0
  private var channelCount = 0
  private var isConcealed = false
  /// The failure that ended decoding permanently.
  private var failure: CallError?

  init(_ options: CodedAudioReader.Options) {
    self.options = options
    reader = CodedAudioReader(byteCount: nil, options: options)
  }

  override func push(_ bytes: [UInt8]) -> Int32 {
    if input.isFinished {
      return fail(Status.moment, "The decoder was finished: create another one for more bytes.")
    }
    // Discard input after the end or a failure: it is never read.
    if failure == nil && !isFinished { input.append(bytes) }
    return Status.ok
  }

  override func conceal() -> Int32 {
    fail(Status.moment, "Only a decoder of bare units can replace a missing unit.")
  }

  override func finish() -> Int32 {
    input.isFinished = true
    return Status.ok
  }

  override func pull(_ sound: UnsafeMutablePointer<aacorn_sound>) -> Int32 {
    if let failure { return fail(failure) }
    if !hasBegun { begin() }
    while !isFinished {
      let step: CodedAudioReader.Step
      do throws(CodedAudioError) {
        step = try reader.step()
      } catch {
        let callError = CallError(error)
        failure = callError
        return fail(callError)
      }
      switch step {
      case .need(let offset, let count):
        guard let bytes = input.read(offset, count) else { return Status.ok }
        reader.supply(bytes)
      case .format(let rate, let count, _):
        sampleRate = rate
        channelCount = count
        if let error = sharedBytesError() {
          failure = error
          return fail(error)
        }
      case .concealed: isConcealed = reader.hasNewFrames
      case .samples:
        let isReplaced = isConcealed
        isConcealed = false
        return unsafe lend(
          reader.currentSamples(), sampleRate: sampleRate, channelCount: channelCount,
          isConcealed: isReplaced, to: sound)
      case .damage: break
      case .end: isFinished = true
      }
    }
    return Status.ok
  }

  /// Returns an error if the tables of a complete movie repeat more than half the bytes of the
  /// file, or nil.
  ///
  /// The samples of a small file could otherwise fill all memory.
  private func sharedBytesError() -> CallError? {
    guard input.keepsAll, let shared = reader.movie?.sharedByteCount, shared > input.end / 2
    else { return nil }
    return CallError(
      Status.size,
      "The tables of the file list the same bytes for several units, \(shared) bytes more than "
        + "once: check the program that created it.")
  }

  /// Reads complete input as a seekable file, and incomplete input as a stream.
  private func begin() {
    hasBegun = true
    guard input.isFinished else { return }
    input.keepsAll = true
    reader = CodedAudioReader(byteCount: input.end, options: options)
  }
}

extension CodedAudioReader {
  /// Returns the samples of the last step.
  ///
  /// `mutating` so that access to the property makes no copy of the reader.
  fileprivate mutating func currentSamples() -> [Float] { samples }
}

/// The pushed bytes of a file or a stream that the reader may still request.
struct PushedBytes {
  private var bytes: [UInt8] = []
  /// The file offset of the first stored byte.
  private var offset: UInt64 = 0
  var isFinished = false
  /// Whether the reader may request bytes again, so that all bytes stay in memory.
  var keepsAll = false

  /// The minimum number of bytes to remove from the start: a removal moves all other bytes.
  private static let pieceLength = 1 << 16

  /// The file offset after the last stored byte.
  var end: UInt64 { offset + UInt64(bytes.count) }

  mutating func append(_ new: [UInt8]) { bytes += new }

  /// Returns `count` bytes from `start` on, or nil if they have not been pushed yet.
  ///
  /// Returns fewer bytes only at the end of the input. Discards all bytes before `start` unless
  /// `keepsAll` is set.
  mutating func read(_ start: UInt64, _ count: Int) -> [UInt8]? {
    let end = self.end
    // A stream is read forward only.
    if !keepsAll { discard(upTo: min(start, end)) }
    let last = start + UInt64(count)
    if last > end, !isFinished { return nil }
    guard start >= offset, start < end else { return [] }
    let part = bytes[Int(start - offset)..<Int(min(last, end) - offset)]
    return Array(part)
  }

  private mutating func discard(upTo newOffset: UInt64) {
    guard newOffset > offset else { return }
    let count = Int(newOffset - offset)
    if count == bytes.count {
      bytes.removeAll(keepingCapacity: true)
    } else if count >= Self.pieceLength, count >= bytes.count / 2 {
      bytes.removeFirst(count)
    } else {
      return
    }
    offset = newOffset
  }
}
