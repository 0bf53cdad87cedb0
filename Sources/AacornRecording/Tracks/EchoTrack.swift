/// Passes the samples of a track (near) and of its reference track (far) through an
/// ``EchoCanceller``.
///
///     near ─► a block later ─┐
///     far ───────────────────┴─► blocks ─► canceller ─► near, at its position
///
/// A canceller finds only echoes that follow the playback. Two devices may be misaligned by some
/// milliseconds, so the near samples are delayed by ten milliseconds before the canceller. The
/// output keeps the positions of the input. The result does not depend on the block sizes.
struct EchoTrack {
  let far: Int
  private let canceller: EchoCanceller
  private let channelCount: Int
  private let reference: EchoCancellation.Reference
  /// Complete frames that wait for a full block.
  private var nearSamples: [Float]
  private var farSamples: [Float] = []
  /// Frames of the initial delay that have not been removed from the output.
  private var remainingLead: Int
  /// Input frames that have not been output yet.
  private(set) var heldCount = 0

  /// Creates a track without history; its reference has the same channel count.
  init(
    _ echo: EchoCancellation, of far: Int, channelCount: Int, sampleRate: Int
  ) throws(RecordingError) {
    self.far = far
    self.channelCount = channelCount
    reference = echo.reference
    canceller = try EchoCanceller(
      channelCount: channelCount,
      referenceChannelCount: echo.reference == .mix ? 1 : channelCount, sampleRate: sampleRate,
      tail: echo.tail)
    remainingLead = canceller.blockLength
    nearSamples = Array(repeating: 0, count: remainingLead * channelCount)
  }

  /// Accepts the same number of frames of both tracks, and appends the finished frames.
  mutating func process(_ near: [Float], _ far: [Float], into output: inout [Float]) {
    precondition(near.count == far.count && near.count % channelCount == 0)
    nearSamples += near
    append(far)
    heldCount += near.count / channelCount
    let start = output.count
    let length = canceller.blockLength
    let farCount = reference == .mix ? 1 : channelCount
    var frame = 0
    // `nearSamples` has a block more, so only the number of far samples matters.
    while (frame + length) * farCount <= farSamples.count {
      canceller.process(
        nearSamples[frame * channelCount..<(frame + length) * channelCount],
        farSamples[frame * farCount..<(frame + length) * farCount], into: &output)
      frame += length
    }
    nearSamples.removeFirst(frame * channelCount)
    farSamples.removeFirst(frame * farCount)
    let lead = min(remainingLead, frame)
    output.removeSubrange(start..<start + lead * channelCount)
    remainingLead -= lead
    heldCount -= frame - lead
  }

  private mutating func append(_ far: [Float]) {
    if reference == .channels {
      farSamples += far
      return
    }
    var index = 0
    while index < far.count {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += far[index + channel] }
      farSamples.append(sum / Float(channelCount))
      index += channelCount
    }
  }

  /// Appends the remaining frames, as if silence followed; accepts no more input.
  mutating func finish(into output: inout [Float]) {
    let end = output.count + heldCount * channelCount
    let silence = [Float](repeating: 0, count: 2 * canceller.blockLength * channelCount)
    process(silence, silence, into: &output)
    output.removeLast(output.count - end)
    heldCount = 0
  }
}
