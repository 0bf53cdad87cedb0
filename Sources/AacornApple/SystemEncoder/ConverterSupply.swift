/// A buffer of samples that a converter fetches.
final class ConverterSupply {
  /// The result of a fetch.
  enum Portion: Equatable {
    /// Interleaved samples of complete frames.
    case samples([Float])
    /// No samples are available yet.
    case nothing
    /// The audio has ended.
    case end
  }

  private let channelCount: Int
  private var samples: [Float] = []
  /// The number of elements of `samples` that have been fetched.
  private var fetchedCount = 0
  /// The number of samples appended in total, over all channels.
  private var sampleCount = 0
  private(set) var isFinished = false

  /// Creates a supply of frames with `channelCount` samples each.
  init(channelCount: Int) {
    self.channelCount = max(1, channelCount)
  }

  /// The number of frames appended in total.
  var frameCount: Int { sampleCount / channelCount }

  /// Appends interleaved samples; a frame split across calls is joined again.
  func append(_ span: Span<Float>) {
    if isFinished { return }
    // Fetched samples are removed once they are at least half of the array, so each sample moves at
    // most once.
    if fetchedCount * 2 >= samples.count {
      samples.removeFirst(fetchedCount)
      fetchedCount = 0
    }
    for index in 0..<span.count { samples.append(span[index]) }
    sampleCount += span.count
  }

  /// Ends the audio; an incomplete frame is filled with silence.
  func finish() {
    if isFinished { return }
    while sampleCount % channelCount != 0 {
      samples.append(0)
      sampleCount += 1
    }
    isFinished = true
  }

  /// Returns the next frames, at most `frameCount`.
  func fetch(frameCount: Int) -> Portion {
    let available = (samples.count - fetchedCount) / channelCount
    let count = min(max(0, frameCount), available) * channelCount
    if count == 0 { return isFinished && available == 0 ? .end : .nothing }
    defer { fetchedCount += count }
    return .samples(Array(samples[fetchedCount..<fetchedCount + count]))
  }
}
