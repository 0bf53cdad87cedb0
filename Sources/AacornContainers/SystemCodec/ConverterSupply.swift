/// The samples that wait until a converter fetches them.
package final class ConverterSupply {
  /// What a converter gets when it asks.
  package enum Portion: Equatable {
    /// Interleaved samples of whole frames.
    case samples([Float])
    /// Nothing for now.
    case nothing
    /// Nothing any more.
    case end
  }

  private let channelCount: Int
  private var samples: [Float] = []
  /// Samples of those that have been fetched.
  private var fetchedCount = 0
  /// Samples so far.
  private var sampleCount = 0
  /// Whether nothing more comes.
  package private(set) var isFinished = false

  /// A supply of frames with so many samples each.
  package init(channelCount: Int) {
    self.channelCount = max(1, channelCount)
  }

  /// Frames so far.
  package var frameCount: Int { sampleCount / channelCount }

  /// Takes interleaved samples; a frame split across calls is joined again.
  package func append(_ span: Span<Float>) {
    if isFinished { return }
    // What has been fetched is given up when it is most of it, so that each sample moves once at most.
    if fetchedCount * 2 >= samples.count {
      samples.removeFirst(fetchedCount)
      fetchedCount = 0
    }
    for index in 0..<span.count { samples.append(span[index]) }
    sampleCount += span.count
  }

  /// Ends the sound; a frame that is not whole is filled with silence.
  package func finish() {
    if isFinished { return }
    while sampleCount % channelCount != 0 {
      samples.append(0)
      sampleCount += 1
    }
    isFinished = true
  }

  /// The next frames, at most so many.
  package func fetch(frameCount: Int) -> Portion {
    let available = (samples.count - fetchedCount) / channelCount
    let count = min(max(0, frameCount), available) * channelCount
    if count == 0 { return isFinished && available == 0 ? .end : .nothing }
    defer { fetchedCount += count }
    return .samples(Array(samples[fetchedCount..<fetchedCount + count]))
  }
}
