import AacornSignal

/// The bands of the input to be replicated: slot n, band k at (n + `pastSlotCount`) · 64 + k.
///
/// Slot 0 is the first slot of the frame in progress in a decoder's numbering: a decoder's slot n
/// coincides with these values in the output (ISO/IEC 14496-3, 4.6.18.3 and 4.6.18.5).
struct SBRSpectrum: Sendable {
  /// The number of slots before and after the frame.
  static let pastSlotCount = 8
  static let futureSlotCount = 24
  /// The number of slots in a frame, and in all.
  static let frameSlots = 32
  static let slotCount = pastSlotCount + frameSlots + futureSlotCount
  /// The distance from the start of a core block to the newest sample of slot 0, in input samples.
  ///
  /// The replicated bands of a decoder lag by six slots (t_HFGen − t_HFAdj).
  static let offset = -6 * 64

  var real: [Float]
  var imaginary: [Float]
  /// The squared magnitudes; empty if they are not requested.
  private(set) var energies: [Float]
  /// Whether the slots before the frame contain the previous frame.
  private var hasPastSlots = false

  init(hasEnergies: Bool = true) {
    // Vectors may be read up to three bands beyond the end.
    real = [Float](repeating: 0, count: Self.slotCount * 64 + 4)
    imaginary = real
    energies = hasEnergies ? real : []
  }

  /// Advances to the frame whose first slot is `offset` samples from the head of `queue`.
  ///
  /// With the default offset its core block begins at the head.
  mutating func advance(
    _ queue: SampleQueue, offset: Int = Self.offset, _ analysis: inout QMFAnalysis64
  ) {
    let kept = hasPastSlots ? Self.pastSlotCount + Self.futureSlotCount : 0
    if kept > 0 {
      let from = 64 * Self.frameSlots
      real.moveToFront(from: from, count: 64 * kept)
      imaginary.moveToFront(from: from, count: 64 * kept)
      if !energies.isEmpty { energies.moveToFront(from: from, count: 64 * kept) }
    }
    analysis.analyze(
      queue.samples, from: queue.head + offset + 64 * (kept - Self.pastSlotCount),
      slotCount: Self.slotCount - kept, into: &real, &imaginary, firstRow: kept)
    square(64 * kept..<64 * Self.slotCount)
    hasPastSlots = true
  }

  /// Copies the bands of a frame from the preprocessor of parametric stereo.
  ///
  /// Both have the same layout.
  mutating func copyBands(from stereo: StereoPreprocessor) {
    let count = 64 * Self.slotCount
    real.replace(at: 0, by: stereo.real, count: count)
    imaginary.replace(at: 0, by: stereo.imaginary, count: count)
    square(0..<count)
  }

  /// Computes the energies in a range, if they are requested.
  private mutating func square(_ range: Range<Int>) {
    if energies.isEmpty { return }
    unsafe Self.square(
      real, imaginary, from: range.lowerBound, to: range.upperBound, into: &energies)
  }

  private static func square(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, from start: Int, to end: Int,
    into energies: UnsafeMutablePointer<Float>
  ) {
    var index = start
    while index < end {
      let (re, im) = unsafe (real.lanes(index), imaginary.lanes(index))
      unsafe energies.store(re * re + im * im, index)
      index &+= 4
    }
  }
}
