/// Changes the speed of interleaved samples without changing the pitch.
///
/// The output consists of stretches of the input, each with a crossfade to the next one. The next
/// stretch begins where the input is most similar to the continuation of the last one, near the
/// position that the speed requires. So whole periods are skipped or repeated. An attack is copied
/// unchanged, and later stretches never begin before it.
///
///     input    ──┬──── natural continuation ────┬──────────────────►
///                └ last stretch continues ╲ fade ╱
///     input    ────────────────────────────┬─ most similar ────────►
///                                          └ near the nominal position
///
/// At speed 1 the samples pass through unchanged. For n frames, `process` and `flush` at one speed
/// output n / speed frames, rounded up, for any division of the input into blocks. Each change of
/// the speed may change the number by at most the search range of ±12 ms and two stretches of 20
/// ms.
public struct TimeStretch: Sendable {
  /// The range of supported speeds.
  public static var supportedSpeeds: ClosedRange<Double> { 0.5...2 }

  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// The speed of the output relative to the input; change it with ``setSpeed(_:)``.
  public private(set) var speed = 1.0

  /// The number of frames of a stretch, and of a crossfade; a multiple of `decimation`.
  private let hop: Int
  /// The maximum distance of a stretch's start from the nominal position, in frames.
  private let maxOffset: Int
  /// The number of frames summed in one value of `coarse`.
  private let decimation: Int
  /// The weights of the next stretch in a crossfade; the last stretch has the remainder to 1.
  private let fade: [Float]

  // All positions are frames from the beginning of `history`.

  /// The input that is still needed, interleaved; empty while the samples pass through.
  private var history: [Float] = []
  /// The weighted sum of the channels in each frame, and the sums of groups of `decimation` of
  /// these values.
  private var mono: [Float] = []
  private var coarse: [Float] = []
  private var reference: [Float] = []
  /// The position at which the last stretch would continue.
  private var continuation = 0
  /// The nominal input position of the next output frame.
  private var nominal = 0.0
  /// The end of the last attack, before which no stretch may begin.
  private var attackEnd = 0
  /// The number of input frames before the history.
  private var droppedFrameCount = 0.0

  /// Creates a time stretch with speed 1.
  ///
  /// Values out of range are clamped: 1 to 64 channels, 1 Hz to 3.072 MHz.
  public init(sampleRate: Int, channelCount: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    // The search for similarity runs at about 11 kHz. A hop is about 20 ms, and a multiple of 16
    // values at that rate.
    decimation = max(1, sampleRate / 11_025)
    let groups = max(1, (sampleRate / decimation + 400) / 800)
    hop = groups * 16 * decimation
    // A range of ±12 ms contains a whole period of the lowest voices and strings.
    maxOffset = max(decimation, sampleRate * 3 / 250)
    var fade: [Float] = []
    fade.reserveCapacity(hop)
    for index in 0..<hop {
      let turn = (Double(index) + 0.5) / Double(hop)
      fade.append(Float(0.5 - 0.5 * ElementaryFunctions.sinCosPi(turn).cos))
    }
    self.fade = fade
  }

  /// The input position of the next output frame, in frames, given the speeds up to now.
  public var position: Double { droppedFrameCount + nominal }

  /// Changes the speed of the following output; the value is clamped to the supported range.
  public mutating func setSpeed(_ speed: Double) {
    let range = Self.supportedSpeeds
    self.speed =
      speed < range.lowerBound
      ? range.lowerBound : speed > range.upperBound ? range.upperBound : speed
    if !(speed == speed) { self.speed = 1 }
  }

  /// Appends the output frames for the whole frames of the input that can be computed now.
  ///
  /// An incomplete frame at the end is ignored.
  public mutating func process(_ input: Span<Float>, into output: inout [Float]) {
    if speed == 1 {
      release(into: &output)
      for index in 0..<input.wholeCount(channelCount) { output.append(input[index]) }
      droppedFrameCount += Double(input.count / channelCount)
      return
    }
    store(input)
    while neededEnd <= mono.count {
      advance(into: &output, limit: hop)
      // Discard after each stretch, so that the division into blocks does not affect the result.
      discardInput()
    }
  }

  /// Appends the remaining output, as if silence followed, and resets the state but not the speed.
  public mutating func flush(into output: inout [Float]) {
    if speed == 1 {
      release(into: &output)
    } else {
      let end = Double(mono.count)
      while true {
        // Rounding errors of the summed steps must not add a frame.
        let left = (end - nominal) / speed - 1e-6
        if left <= 0 { break }
        if neededEnd > mono.count {
          let missing = neededEnd - mono.count
          let silence = [Float](repeating: 0, count: missing * channelCount)
          store(silence.span)
        }
        advance(into: &output, limit: left >= Double(hop) ? hop : min(hop, Int(left) + 1))
      }
    }
    reset()
  }

  /// Clears all stored audio, for example for a seek; the speed stays.
  public mutating func reset() {
    history.removeAll(keepingCapacity: true)
    mono.removeAll(keepingCapacity: true)
    coarse.removeAll(keepingCapacity: true)
    continuation = 0
    nominal = 0
    attackEnd = 0
    droppedFrameCount = 0
  }

  /// Ends the stretching: appends the continuation of the last stretch unchanged.
  private mutating func release(into output: inout [Float]) {
    if mono.isEmpty { return }
    let frameCount = mono.count
    for index in continuation * channelCount..<frameCount * channelCount {
      output.append(history[index])
    }
    let total = droppedFrameCount + Double(frameCount)
    reset()
    droppedFrameCount = total
  }

  // MARK: Input

  private mutating func store(_ input: Span<Float>) {
    let frameCount = input.count / channelCount
    var index = 0
    for _ in 0..<frameCount {
      var sum: Float = 0
      for channel in 0..<channelCount {
        let sample = input[index].isFinite ? input[index] : 0
        history.append(sample)
        // Unequal weights, so that channels of opposite phase do not cancel.
        sum += channel == 0 ? sample : 0.75 * sample
        index += 1
      }
      mono.append(sum)
    }
    while (coarse.count + 1) * decimation <= mono.count {
      coarse.append(group(at: coarse.count * decimation))
    }
  }

  private func group(at start: Int) -> Float {
    var sum: Float = 0
    for index in start..<start + decimation { sum += mono[index] }
    return sum
  }

  /// The end of the input that the next stretch needs.
  private var neededEnd: Int {
    let last = max(continuation, max(Int(nominal) + maxOffset + 1, attackEnd + maxOffset))
    return last + hop + 2 * decimation
  }

  /// Drops the input that no later stretch can use.
  private mutating func discardInput() {
    let first = min(continuation - hop, Int(nominal) - maxOffset)
    let count = first / decimation * decimation
    // Discard rarely, so that moving the remaining frames costs little.
    guard count >= 4 * hop else { return }
    history.removeSubrange(0..<count * channelCount)
    mono.removeSubrange(0..<count)
    coarse.removeSubrange(0..<count / decimation)
    continuation -= count
    nominal -= Double(count)
    attackEnd = max(0, attackEnd - count)
    droppedFrameCount += Double(count)
  }

  // MARK: Output

  /// Appends the next frames, at most a hop.
  private mutating func advance(into output: inout [Float], limit: Int) {
    let start = nextStart()
    var from = continuation * channelCount
    var to = start * channelCount
    if start == continuation {
      for index in from..<from + limit * channelCount { output.append(history[index]) }
    } else {
      for frame in 0..<limit {
        let weight = fade[frame]
        for _ in 0..<channelCount {
          output.append(history[from] + weight * (history[to] - history[from]))
          from += 1
          to += 1
        }
      }
    }
    continuation = start + hop
    nominal += speed * Double(limit)
  }

  private mutating func nextStart() -> Int {
    // The first stretch begins with the input.
    if continuation == 0 { return 0 }
    let center = Int(nominal + 0.5)
    let distance = continuation - center
    // Continue unchanged through an attack, unless the position is already too far from the nominal
    // one.
    if distance < 2 * hop, distance > -4 * hop,
      let end = attack(in: continuation..<continuation + hop)
    {
      attackEnd = end
      return continuation
    }
    let low = max(0, max(center - maxOffset, attackEnd))
    let high = max(low, max(center + maxOffset, min(low + maxOffset, attackEnd + maxOffset)))
    let start = bestMatch(in: low...high, near: center)
    // Continue unchanged up to an attack that a jump would skip or fade in.
    if start > continuation, distance > -2 * hop,
      attack(in: continuation + hop..<start + hop) != nil
    {
      return continuation
    }
    return start
  }

  /// Returns the end of the first attack that begins in a range; nil if there is none.
  private func attack(in range: Range<Int>) -> Int? {
    guard range.lowerBound >= hop else { return nil }
    let length = hop / 8
    // The second term is far below any audio with attacks; it prevents attacks in near-silence.
    var before = energy(range.lowerBound - hop, hop) / 8 + Float(length) * 1e-7
    var start = range.lowerBound
    while start + length <= range.upperBound {
      let now = energy(start, length)
      if now > 8 * before { return start + 2 * length }
      before = max(before, now)
      start += length
    }
    return nil
  }

  private func energy(_ start: Int, _ count: Int) -> Float {
    var sum: Float = 0
    for index in start..<start + count { sum += mono[index] * mono[index] }
    return sum
  }

  /// Returns the position that is most similar to the natural continuation.
  ///
  /// Positions near the nominal one have a slight preference.
  private mutating func bestMatch(in range: ClosedRange<Int>, near center: Int) -> Int {
    let coarseCount = hop / decimation
    reference.removeAll(keepingCapacity: true)
    for index in 0..<coarseCount {
      reference.append(group(at: continuation + index * decimation))
    }
    let coarseEnergy = DotProduct.of(
      reference.span, at: 0, reference.span, at: 0, count: coarseCount)
    let fineEnergy = DotProduct.of(
      mono.span, at: continuation, mono.span, at: continuation, count: hop)
    let nearest = min(max(center, range.lowerBound), range.upperBound)
    var best = nearest / decimation
    var bestScore = -Float.infinity
    let first = range.lowerBound / decimation
    let last = range.upperBound / decimation
    for offset in first...last {
      let distance = Float(offset * decimation - nearest) / Float(maxOffset)
      let similarity = Self.similarity(
        of: coarse, offset, to: reference, 0, energy: coarseEnergy, count: coarseCount)
      let score = similarity - 0.02 * distance * distance
      if score > bestScore {
        bestScore = score
        best = offset
      }
    }
    var result = nearest
    bestScore = -Float.infinity
    let low = max(range.lowerBound, (best - 1) * decimation)
    let high = min(range.upperBound, (best + 1) * decimation)
    if low > high { return nearest }
    for offset in low...high {
      let score = Self.similarity(
        of: mono, offset, to: mono, continuation, energy: fineEnergy, count: hop)
      if score > bestScore {
        bestScore = score
        result = offset
      }
    }
    return result
  }

  /// Returns the signed square of the correlation coefficient, −1 to 1; 0 for silence.
  private static func similarity(
    of a: [Float], _ aStart: Int, to b: [Float], _ bStart: Int, energy: Float, count: Int
  ) -> Float {
    let scale =
      energy * DotProduct.of(a.span, at: aStart, a.span, at: aStart, count: count)
    if !(scale > 1e-20) { return 0 }
    let product = DotProduct.of(a.span, at: aStart, b.span, at: bStart, count: count)
    let square = product * product / scale
    return product < 0 ? -square : square
  }
}
