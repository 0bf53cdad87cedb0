import AacornSignal

/// A channel being decoded: its lines and the state between frames.
struct ChannelDecoder: Sendable {
  /// The lines of the last frame; after a damaged one, those of the last good frame.
  var lines: [Float]
  /// The decoded frame, at the core's rate, in the scale of 16-bit samples.
  var samples: [Float]
  /// The overlap with the previous frame.
  var overlap: OverlapAdd
  /// Prediction of object type Main.
  var backwardPredictor: BackwardPredictor?
  /// Prediction of object type LTP.
  var longTermPredictor: LongTermPredictor?
  /// The replacement of damaged frames.
  var concealment = Concealment()
  /// The windows of the last good frame.
  var window = WindowInfo()

  init(frameLength: Int, predictor: BackwardPredictor?, longTerm: LongTermPredictor?) {
    lines = [Float](repeating: 0, count: frameLength)
    samples = [Float](repeating: 0, count: frameLength)
    overlap = OverlapAdd(frameLength: frameLength)
    backwardPredictor = predictor
    longTermPredictor = longTerm
  }

  /// Resets all state that previous frames left.
  mutating func reset() {
    for n in 0..<lines.count { lines[n] = 0 }
    overlap.reset()
    backwardPredictor?.reset()
    longTermPredictor?.reset()
    concealment = Concealment()
    window = WindowInfo()
  }

  /// Turns the lines into samples; `terms` is scratch.
  mutating func synthesize(
    _ window: WindowInfo, with transform: inout InverseMDCT, table: WindowTable,
    terms: inout [Float]
  ) {
    lines.zeroInvalidLines()
    if window.isShort {
      transform.short(lines, into: &terms)
    } else {
      transform.long(lines, into: &terms)
    }
    overlap.add(terms, window: window, table: table, into: &samples)
    guard longTermPredictor != nil else { return }
    overlap.tail(table, into: &terms)
    longTermPredictor?.advance(samples, tail: terms)
  }

  /// Adds the prediction of object type Main, if the stream has it.
  mutating func predictBackward(_ window: WindowInfo, offsets: [Int]) {
    guard backwardPredictor != nil else { return }
    lines.zeroInvalidLines()
    backwardPredictor?.apply(window, offsets: offsets, to: &lines)
  }

  /// Adds the prediction of object type LTP, if the stream has it.
  mutating func predictLongTerm(
    _ parsed: ParsedChannel, offsets: [Int], bandLimit: Int, table: WindowTable,
    shaping: inout NoiseShapingSynthesis
  ) {
    longTermPredictor?.apply(
      parsed, offsets: offsets, bandLimit: bandLimit, previousShape: overlap.previousShape,
      table: table, shaping: &shaping, to: &lines)
  }

  /// Writes the lines that replace a damaged frame to `replacement`, derived from the last good
  /// frame.
  mutating func conceal(unit: Int, channel: Int, into replacement: inout [Float]) {
    concealment.conceal(
      &lines, isShort: window.isShort, unit: unit, channel: channel, into: &replacement)
    let hasShortRightSlope = window.sequence.hasShortRightSlope
    let shape = window.shape
    window = WindowInfo()
    window.sequence = hasShortRightSlope ? .longStop : .onlyLong
    window.shape = shape
  }

  /// Records a good frame.
  ///
  /// After damaged frames, the level of good frames rises step by step.
  mutating func recover(_ window: WindowInfo) {
    self.window = window
    concealment.recover(&lines)
  }
}

extension [Float] {
  /// A magnitude that no valid line reaches: a line of a full-scale sine is 2²⁵.
  private static var maxLineMagnitude: Float { 0x1p32 }

  /// Clears lines with values that only damaged units contain, so that all later values stay
  /// finite.
  mutating func zeroInvalidLines() {
    let count = count
    // The comparison is false for NaN, too.
    if unsafe Self.magnitudeSum(self, count) < Self.maxLineMagnitude { return }
    unsafe Self.zeroInvalidLines(&self, count)
  }

  private static func magnitudeSum(_ lines: UnsafePointer<Float>, _ count: Int) -> Float {
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var n = 0
    while n < count {
      even += unsafe lines.lanes(n).magnitude
      odd += unsafe lines.lanes(n &+ 4).magnitude
      n &+= 8
    }
    return (even + odd).total
  }

  private static func zeroInvalidLines(_ lines: UnsafeMutablePointer<Float>, _ count: Int) {
    let maxLineMagnitude = Lanes(repeating: maxLineMagnitude)
    var n = 0
    while n < count {
      let values = unsafe lines.lanes(n)
      unsafe lines.store(
        Lanes.zero.replacing(with: values, where: values.magnitude .< maxLineMagnitude), n)
      n &+= 4
    }
  }
}
