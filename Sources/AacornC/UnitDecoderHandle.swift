import AacornCodec
import CAacorn

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
