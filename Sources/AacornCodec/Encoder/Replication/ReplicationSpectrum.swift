import AacornSignal

/// The bands of the sound to be replicated: slot n, band k at (n + `past`) · 64 + k.
///
/// Slot 0 is the first of the frame in progress as a decoder counts them: what it makes of slot n is
/// heard where the sound had these values (ISO/IEC 14496-3, 4.6.18.3 and 4.6.18.5).
struct ReplicationSpectrum: Sendable {
  /// Slots of the frame before, and of the one after.
  static let past = 8
  static let ahead = 24
  /// Slots in a frame, and in all.
  static let frameSlots = 32
  static let slotCount = past + frameSlots + ahead
  /// Samples from the start of a block of the core (in samples of the sound) to the newest sample of
  /// slot 0: the replicated bands of a decoder lag by six slots (t_HFGen − t_HFAdj).
  static let offset = -6 * 64

  var real: [Float]
  var imaginary: [Float]
  /// Their squares; empty if nobody asks for them.
  private(set) var energies: [Float]
  /// Whether the slots before the frame are those of the frame before.
  private var hasPast = false

  init(hasEnergies: Bool = true) {
    // Vectors may be read up to three bands beyond the end.
    real = [Float](repeating: 0, count: Self.slotCount * 64 + 4)
    imaginary = real
    energies = hasEnergies ? real : []
  }

  /// Goes on to the frame whose first slot is `offset` samples from the head of `queue`; with the
  /// usual one its core block begins there.
  mutating func advance(
    _ queue: SampleQueue, offset: Int = Self.offset, _ analysis: inout QMFAnalysis64
  ) {
    let kept = hasPast ? Self.past + Self.ahead : 0
    if kept > 0 {
      let from = 64 * Self.frameSlots
      unsafe Self.move(&real, from, 64 * kept)
      unsafe Self.move(&imaginary, from, 64 * kept)
      if !energies.isEmpty { unsafe Self.move(&energies, from, 64 * kept) }
    }
    analysis.analyze(
      queue.samples, from: queue.head + offset + 64 * (kept - Self.past),
      slotCount: Self.slotCount - kept, into: &real, &imaginary, firstRow: kept)
    square(64 * kept..<64 * Self.slotCount)
    hasPast = true
  }

  /// Takes the bands of a frame from a stage that makes them; they begin as the rows here do.
  mutating func take(_ stereo: StereoStage) {
    let count = 64 * Self.slotCount
    unsafe Self.copy(stereo.real, &real, count)
    unsafe Self.copy(stereo.imaginary, &imaginary, count)
    square(0..<count)
  }

  /// Sets the energies that begin there, if there are any.
  private mutating func square(_ range: Range<Int>) {
    if energies.isEmpty { return }
    unsafe Self.square(real, imaginary, range.lowerBound, range.upperBound, &energies)
  }

  private static func copy(
    _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    unsafe target.update(from: source, count: count)
  }

  private static func move(_ values: UnsafeMutablePointer<Float>, _ from: Int, _ count: Int) {
    unsafe values.update(from: values + from, count: count)
  }

  private static func square(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ start: Int, _ end: Int,
    _ energies: UnsafeMutablePointer<Float>
  ) {
    var place = start
    while place < end {
      let (re, im) = unsafe (real.lanes(place), imaginary.lanes(place))
      unsafe energies.store(re * re + im * im, place)
      place &+= 4
    }
  }
}
