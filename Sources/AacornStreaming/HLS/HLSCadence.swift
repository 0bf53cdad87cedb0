import AacornCodec

/// How the frames of several renditions keep step, so that all can be cut at the same moments.
///
/// In one profile all frames are alike. Those of AAC-LC last 1024 samples and those of HE-AAC 2048,
/// and a decoder's sound lags by 1024 and by 3010, so that seen from the sound no frame of one
/// begins where one of the other does:
///
///     HE-AAC  │       0       │       1       │       2       │
///     AAC-LC                  │   0   │   1   │   2   │   3   │
///
/// The rendition with the longest frames leads: it says before which frame to cut. The others are
/// cut before their nearest frame, which is always at the same distance, here 62 samples earlier,
/// because a frame of the leader lasts a whole number of theirs.
struct HLSCadence: Sendable, Equatable {
  /// The frames of one rendition, seen from the leader's.
  struct Step: Sendable, Equatable {
    /// How many last as long as one of the leader's.
    var count = 1
    /// The one that begins nearest to the leader's first; negative if it would come before its own
    /// first.
    var offset = 0
    /// How many samples that one begins after the leader's first.
    var lag = 0

    /// How many frames are before a cut that the leader makes before this frame.
    func frameCount(before frame: Int) -> Int { max(0, frame * count + offset) }
  }

  /// The rendition that says where to cut.
  let leader: Int
  /// The frames of every rendition.
  let steps: [Step]
  /// The leader may cut before frames that are this many apart, counted from its first: a decoder
  /// can begin with these, and in the other renditions with the nearest ones.
  let entryDistance: Int
  /// How many samples longer than the leader's a first or last segment or part can be in the other
  /// renditions.
  let slack: Int

  /// How renditions keep step; nil if they cannot, because they have different rates, or frames of
  /// which the longest are no multiples of the others.
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
      // Cuts are before frames that can be entered, so the nearest must be one of these.
      let distance = max(1, configuration.entryDistance)
      let entry = distance * length
      let delay = timing.priming - first.priming
      let entryCount = Int((Double(delay) / Double(entry)).rounded())
      step.offset = entryCount * distance
      step.lag = entryCount * entry - delay
      steps.append(step)
      entryDistance = Self.leastMultiple(
        entryDistance, distance / Self.greatestDivisor(distance, step.count))
      if length == first.samplesPerUnit && timing.priming == first.priming { continue }
      switch media {
      case .fragmentedMP4: slack = max(slack, abs(step.lag))
      // It has the delay at its start, and all of the last frame, which may be one more, at its end.
      case .packedAudio: slack = max(slack, step.lag < 0 ? length : 0, step.offset * length)
      }
    }
    self.leader = leader
    self.steps = steps
    self.entryDistance = entryDistance
    self.slack = slack
  }

  private static func greatestDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second > 0 { (first, second) = (second, first % second) }
    return first
  }

  private static func leastMultiple(_ first: Int, _ second: Int) -> Int {
    first / greatestDivisor(first, second) * second
  }
}
