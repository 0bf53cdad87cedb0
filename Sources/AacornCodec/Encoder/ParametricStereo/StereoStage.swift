/// What HE-AAC v2 adds in front of band replication: one channel of two, as bands and as samples for
/// the core (ISO/IEC 14496-3, 8.6.4).
///
///     two channels ► filter banks ► stereo ► bands, stereo data
///                                         └► filter bank ► samples at half the rate
///
/// The core looks ahead of its frame and the filter banks lag, so this stage is two frames ahead of
/// band replication.
struct StereoStage: Sendable {
  /// Frames that a segment's first one depends on, besides those of the other stages.
  static let lookBack = StereoEncoder.lookBack
  /// Frames ahead.
  private static let ahead = 2
  /// The sound's samples from the head on that a frame needs.
  static let neededSamples =
    ahead * 2048 + offset + 64 * (ReplicationSpectrum.slotCount - ReplicationSpectrum.past)
  /// From the head to the newest samples of slot 0.
  ///
  /// The filter banks delay by 577 samples, an odd number; one sample later the core's samples are
  /// where they are in HE-AAC.
  private static let offset = ReplicationSpectrum.offset + 1
  /// The slot whose samples are the first of the core's block: 15 · 64 + `offset` = 577.
  private static let firstSlot = 15
  /// The rows that are kept: slots −8...103 of the frame.
  private static let rowCount = StereoEncoder.past + 32 * ahead + StereoEncoder.mixed.upperBound
  /// Where the rows that a frame adds are, if it is the newest.
  private static let newestRow = rowCount - StereoEncoder.mixed.count

  /// The mix: slot n, band k at (n + 8) · 64 + k.
  private(set) var real = [Float](repeating: 0, count: rowCount * 64 + 4)
  private(set) var imaginary = [Float](repeating: 0, count: rowCount * 64 + 4)

  private var analysis = QMFAnalysis64()
  private var left = ReplicationSpectrum(hasEnergies: false)
  private var right = ReplicationSpectrum(hasEnergies: false)
  private var encoder: StereoEncoder
  private var mix = QMFFrame()
  private var synthesis = QMFSynthesis(slotCount: 32, isDownsampled: true)
  private var halved = [Float](repeating: 0, count: 1024)
  /// The data of frame n, at n modulo their number.
  private var data: [BitWriter]
  /// The next frame to be analyzed; nil before the first.
  private var next: Int?
  private let headerDistance: Int

  init(bitrate: Int, headerDistance: Int) {
    encoder = StereoEncoder(bitrate: bitrate)
    self.headerDistance = headerDistance
    data = [BitWriter](repeating: BitWriter(byteCapacity: 128), count: Self.ahead + 1)
  }

  /// What describes frame `index`, whose samples the core has got.
  func data(ofFrame index: Int) -> BitWriter { data[index % data.count] }

  /// Goes on until the core has enough for frame `index`, whose block begins at the head of `sound`.
  mutating func fill(_ core: inout SampleQueue, of sound: SampleInput, frame index: Int) {
    if next != nil { move() }
    for frame in (next ?? index)...index + Self.ahead {
      analyze(sound, frame: frame, place: frame - index)
      let isFirst = next == nil
      next = frame + 1
      // The core's first block does not begin with the first slot.
      let unused = isFirst ? 32 * (Self.firstSlot - StereoEncoder.mixed.lowerBound) : 0
      core.append(halved, from: unused, count: halved.count - unused)
    }
  }

  /// Makes room for the next frame's rows.
  private mutating func move() {
    unsafe Self.move(&real)
    unsafe Self.move(&imaginary)
  }

  private static func move(_ values: UnsafeMutablePointer<Float>) {
    unsafe values.update(from: values + 32 * 64, count: newestRow * 64)
  }

  /// Analyzes a frame `place` frames behind the head.
  private mutating func analyze(_ sound: SampleInput, frame: Int, place: Int) {
    if frame % AACEncoder.segmentFrameCount == 0 { encoder.begin(atFrame: frame) }
    let offset = Self.offset + 2048 * place
    left.advance(sound.queues[0], offset: offset, &analysis)
    right.advance(sound.queues[1], offset: offset, &analysis)
    encoder.encode(
      leftReal: left.real, leftImaginary: left.imaginary, rightReal: right.real,
      rightImaginary: right.imaginary, hasHeader: frame % headerDistance == 0)
    let slot = frame % data.count
    data[slot].removeAll()
    encoder.data.put(to: &data[slot])

    let count = StereoEncoder.mixed.count * 64
    let from = (StereoEncoder.past + StereoEncoder.mixed.lowerBound) * 64
    let to = (Self.newestRow - 32 * (Self.ahead - place)) * 64
    unsafe Self.copy(encoder.real, from, &real, to, count)
    unsafe Self.copy(encoder.imaginary, from, &imaginary, to, count)
    unsafe Self.copy(encoder.real, from, &mix.real, 0, count)
    unsafe Self.copy(encoder.imaginary, from, &mix.imaginary, 0, count)
    synthesis.synthesize(mix, slotCount: 32, into: &halved)
  }

  private static func copy(
    _ source: UnsafePointer<Float>, _ from: Int, _ target: UnsafeMutablePointer<Float>, _ to: Int,
    _ count: Int
  ) {
    unsafe (target + to).update(from: source + from, count: count)
  }
}
