import AacornCodec
import AacornContainers
import CAacorn

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
      case .concealed: isConcealed = true
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
