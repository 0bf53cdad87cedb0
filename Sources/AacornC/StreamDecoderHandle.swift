import AacornCodec
import AacornContainers
import CAacorn

/// A decoder of files and streams.
final class StreamDecoderHandle: DecoderHandle {
  private let options: CodedSoundReader.Options
  private var reader: CodedSoundReader
  private var input = PushedBytes()
  private var hasBegun = false
  private var isOver = false
  private var sampleRate = 0
  private var channelCount = 0
  private var isConcealed = false
  /// The failure that ended decoding permanently.
  private var failure: Refusal?

  /// Creates a decoder without input.
  init(_ options: CodedSoundReader.Options) {
    self.options = options
    reader = CodedSoundReader(byteCount: nil, options: options)
  }

  override func push(_ bytes: [UInt8]) -> Int32 {
    if input.isFinished {
      return fail(Status.moment, "The decoder was finished: create another one for more bytes.")
    }
    // Discard input after the end or a failure: it is never read.
    if failure == nil && !isOver { input.append(bytes) }
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
    while !isOver {
      let step: CodedSoundReader.Step
      do throws(CodedSoundError) {
        step = try reader.step()
      } catch {
        let refusal = Refusal(error)
        failure = refusal
        return fail(refusal)
      }
      switch step {
      case .need(let offset, let count):
        guard let bytes = input.take(offset, count) else { return Status.ok }
        reader.supply(bytes)
      case .format(let rate, let count, _):
        sampleRate = rate
        channelCount = count
      case .concealed: isConcealed = true
      case .samples:
        let isReplaced = isConcealed
        isConcealed = false
        return unsafe lend(
          reader.tellSamples(), sampleRate: sampleRate, channelCount: channelCount,
          isConcealed: isReplaced, to: sound)
      case .damage: break
      case .end: isOver = true
      }
    }
    return Status.ok
  }

  /// Reads complete input as a seekable file, and incomplete input as a stream.
  private func begin() {
    hasBegun = true
    guard input.isFinished else { return }
    input.keepsAll = true
    reader = CodedSoundReader(byteCount: input.end, options: options)
  }
}

extension CodedSoundReader {
  /// Returns the samples of the last step.
  ///
  /// `mutating` so that access to the property makes no copy of the reader.
  fileprivate mutating func tellSamples() -> [Float] { samples }
}
