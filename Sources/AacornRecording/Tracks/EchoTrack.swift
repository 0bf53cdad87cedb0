/// The sound of a track on the way through an ``EchoCanceller``, beside that of the track it hears.
///
///     near ─► a block later ─┐
///     far ───────────────────┴─► blocks ─► canceller ─► near, in its place
///
/// A canceller finds only what is heard after it was played. Two devices may be out of place by some
/// milliseconds, so the near sound goes in ten milliseconds late. What comes out lies where it lay:
/// the result does not depend on how the samples were cut into blocks.
struct EchoTrack {
  /// The index of the track it hears.
  let far: Int
  private let canceller: EchoCanceller
  private let channelCount: Int
  private let reference: EchoCancellation.Reference
  /// Whole frames that wait until there is a block of them.
  private var nearSamples: [Float]
  private var farSamples: [Float] = []
  /// Frames that come out before the first one that went in.
  private var leadRest: Int
  /// Frames that went in and have not come out.
  private(set) var heldCount = 0

  /// A track that has heard nothing, with as many channels as the other one.
  init(
    _ echo: EchoCancellation, of far: Int, channelCount: Int, sampleRate: Int
  ) throws(TrackError) {
    self.far = far
    self.channelCount = channelCount
    reference = echo.reference
    canceller = try EchoCanceller(
      channelCount: channelCount,
      referenceChannelCount: echo.reference == .mix ? 1 : channelCount, sampleRate: sampleRate,
      tail: echo.tail)
    leadRest = canceller.blockLength
    nearSamples = Array(repeating: 0, count: leadRest * channelCount)
  }

  /// Accepts as many frames of both, and appends what is complete.
  mutating func process(_ near: [Float], _ far: [Float], into output: inout [Float]) {
    precondition(near.count == far.count && near.count % channelCount == 0)
    nearSamples += near
    append(far)
    heldCount += near.count / channelCount
    let start = output.count
    let length = canceller.blockLength
    let farCount = reference == .mix ? 1 : channelCount
    var frame = 0
    // The near sound is a block ahead.
    while (frame + length) * farCount <= farSamples.count {
      canceller.process(
        nearSamples[frame * channelCount..<(frame + length) * channelCount],
        farSamples[frame * farCount..<(frame + length) * farCount], into: &output)
      frame += length
    }
    nearSamples.removeFirst(frame * channelCount)
    farSamples.removeFirst(frame * farCount)
    let lead = min(leadRest, frame)
    output.removeSubrange(start..<start + lead * channelCount)
    leadRest -= lead
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

  /// Appends what is still inside, as if silence followed; nothing more may go in.
  mutating func finish(into output: inout [Float]) {
    let end = output.count + heldCount * channelCount
    let silence = [Float](repeating: 0, count: 2 * canceller.blockLength * channelCount)
    process(silence, silence, into: &output)
    output.removeLast(output.count - end)
    heldCount = 0
  }
}
