import AacornCodec

/// The alignment of the frames of several renditions, which allows cuts at the same times in all of
/// them.
///
/// All frames of a profile have the same length: 1024 samples in AAC-LC, 2048 in HE-AAC. Decoders
/// delay the audio by 1024 samples in AAC-LC and by 3010 in HE-AAC. Relative to the audio, no frame
/// of one profile therefore begins together with a frame of the other:
///
///     HE-AAC  │       0       │       1       │       2       │
///     AAC-LC                  │   0   │   1   │   2   │   3   │
///
/// The rendition with the longest frames leads: it determines the frame at which to cut. The other
/// renditions are cut at their nearest frame. The distance to that frame is constant, here 62
/// samples earlier, because a frame of the leader lasts a whole number of frames of each other
/// rendition.
struct SegmentAlignment: Sendable, Equatable {
  /// The position of a rendition's frames relative to the leader's frames.
  struct Step: Sendable, Equatable {
    /// The number of frames that last as long as one frame of the leader.
    var count = 1
    /// The index of the frame that begins nearest to the leader's first frame.
    ///
    /// Negative if that frame would precede the rendition's first frame.
    var offset = 0
    /// The number of samples between the start of the leader's first frame and the start of the
    /// frame `offset`.
    var lag = 0

    /// Returns the number of this rendition's frames before the cut that the leader makes before
    /// its own frame `frame`.
    func frameCount(before frame: Int) -> Int { max(0, frame * count + offset) }
  }

  /// The index of the rendition that determines the cuts.
  let leader: Int
  /// The alignment of each rendition.
  let steps: [Step]
  /// The distance between frames of the leader at which it may cut, counted from its first frame.
  ///
  /// A decoder can start at these frames, and in the other renditions at the nearest frames.
  let entryDistance: Int
  /// The maximum number of samples by which the first or last segment or part of another rendition
  /// can exceed the leader's.
  let slack: Int

  /// Aligns renditions.
  ///
  /// Returns nil if they have different sampling rates, or if the longest frame is not a multiple
  /// of the other frame lengths.
  init?(
    _ streams: [(configuration: AudioSpecificConfig, timing: StreamTiming)],
    in media: HLSConfiguration.Media
  ) {
    var leader = 0
    for index in streams.indices
    where streams[index].timing.samplesPerUnit > streams[leader].timing.samplesPerUnit {
      leader = index
    }
    guard streams.indices.contains(leader) else { return nil }
    let first = streams[leader].timing
    var entryDistance = max(1, streams[leader].configuration.entryDistance)
    var steps: [Step] = []
    var slack = 0
    for (configuration, timing) in streams {
      let length = timing.samplesPerUnit
      guard length > 0, timing.sampleRate == first.sampleRate,
        first.samplesPerUnit % length == 0
      else { return nil }
      var step = Step()
      step.count = first.samplesPerUnit / length
      // A cut is always before a frame at which a decoder can start. So the nearest frame in this
      // rendition must also be such a frame.
      let distance = max(1, configuration.entryDistance)
      let entry = distance * length
      let delay = timing.priming - first.priming
      let entryCount = Int((Double(delay) / Double(entry)).rounded())
      step.offset = entryCount * distance
      step.lag = entryCount * entry - delay
      steps.append(step)
      entryDistance = Self.commonMultiple(
        entryDistance, distance / Self.commonDivisor(distance, step.count))
      if length == first.samplesPerUnit && timing.priming == first.priming { continue }
      switch media {
      case .fragmentedMP4: slack = max(slack, abs(step.lag))
      // Without an edit list, the first segment includes the encoder's delay, and the last segment
      // includes its last frame completely, which may be an additional frame.
      case .packedAudio: slack = max(slack, step.lag < 0 ? length : 0, step.offset * length)
      }
    }
    self.leader = leader
    self.steps = steps
    self.entryDistance = entryDistance
    self.slack = slack
  }

  private static func commonDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second > 0 { (first, second) = (second, first % second) }
    return first
  }

  private static func commonMultiple(_ first: Int, _ second: Int) -> Int {
    first / commonDivisor(first, second) * second
  }
}
