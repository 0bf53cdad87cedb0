/// Mixes two channels to one before band replication, in HE-AAC v2 (ISO/IEC 14496-3, 8.6.4).
///
/// The output is the mix's QMF bands, and its samples for the core.
///
///     two channels ► filter banks ► stereo ► bands, stereo data
///                                         └► filter bank ► samples at half the rate
///
/// The core looks ahead of its frame and the filter banks delay, so the preprocessor is two frames
/// ahead of band replication.
struct StereoPreprocessor: Sendable {
  /// The additional frames that the first frame of a segment depends on.
  static let lookBack = StereoEncoder.lookBack
  /// The number of frames by which the preprocessor is ahead.
  private static let ahead = 2
  /// The number of input samples from the head on that a frame needs.
  static let neededSamples =
    ahead * 2048 + offset + 64 * (SBRSpectrum.slotCount - SBRSpectrum.pastSlotCount)
  /// The distance from the head to the newest samples of slot 0.
  ///
  /// The filter banks delay by 577 samples, an odd number. One additional sample aligns the core's
  /// samples with those of HE-AAC.
  private static let offset = SBRSpectrum.offset + 1
  /// The slot whose samples are the first of the core's block: 15 · 64 + `offset` = 577.
  private static let firstSlot = 15
  /// The number of stored rows: slots −8...103 of the frame.
  private static let rowCount =
    StereoEncoder.pastSlotCount + 32 * ahead + StereoEncoder.mixed.upperBound
  private static let newestRow = rowCount - StereoEncoder.mixed.count

  /// The mix: slot n, band k at (n + 8) · 64 + k.
  private(set) var real = [Float](repeating: 0, count: rowCount * 64 + 4)
  private(set) var imaginary = [Float](repeating: 0, count: rowCount * 64 + 4)

  private var analysis = QMFAnalysis64()
  private var left = SBRSpectrum(hasEnergies: false)
  private var right = SBRSpectrum(hasEnergies: false)
  private var encoder: StereoEncoder
  private var mix = QMFFrame()
  private var synthesis = QMFSynthesis(slotCount: 32, isDownsampled: true)
  private var halved = [Float](repeating: 0, count: 1024)
  /// The data of frame n, at index n modulo the number of elements.
  private var data: [BitWriter]
  /// The next frame to be analyzed; nil before the first.
  private var next: Int?
  private let headerDistance: Int

  init(bitrate: Int, headerDistance: Int) {
    encoder = StereoEncoder(bitrate: bitrate)
    self.headerDistance = headerDistance
    data = [BitWriter](repeating: BitWriter(byteCapacity: 128), count: Self.ahead + 1)
  }

  /// Returns the stereo data of frame `index`, whose samples the core has received.
  func data(ofFrame index: Int) -> BitWriter { data[index % data.count] }

  /// Processes frames until the core has enough samples for frame `index`.
  ///
  /// The block of that frame begins at the head of `sound`.
  mutating func fill(_ core: inout SampleQueue, of sound: SampleInput, frame index: Int) {
    if next != nil {
      real.moveToFront(from: 32 * 64, count: Self.newestRow * 64)
      imaginary.moveToFront(from: 32 * 64, count: Self.newestRow * 64)
    }
    for frame in (next ?? index)...index + Self.ahead {
      analyze(sound, frame: frame, distance: frame - index)
      let isFirst = next == nil
      next = frame + 1
      // The core's first block begins after the first mixed slot.
      let unused = isFirst ? 32 * (Self.firstSlot - StereoEncoder.mixed.lowerBound) : 0
      core.append(halved, from: unused, count: halved.count - unused)
    }
  }

  /// Analyzes a frame `distance` frames after the head.
  private mutating func analyze(_ sound: SampleInput, frame: Int, distance: Int) {
    if frame % AACEncoder.segmentFrameCount == 0 { encoder.begin(atFrame: frame) }
    let offset = Self.offset + 2048 * distance
    left.advance(sound.queues[0], offset: offset, &analysis)
    right.advance(sound.queues[1], offset: offset, &analysis)
    encoder.encode(
      leftReal: left.real, leftImaginary: left.imaginary, rightReal: right.real,
      rightImaginary: right.imaginary, hasHeader: frame % headerDistance == 0)
    let slot = frame % data.count
    data[slot].removeAll()
    encoder.data.put(to: &data[slot])

    let count = StereoEncoder.mixed.count * 64
    let from = (StereoEncoder.pastSlotCount + StereoEncoder.mixed.lowerBound) * 64
    let to = (Self.newestRow - 32 * (Self.ahead - distance)) * 64
    real.replace(at: to, by: encoder.real, from: from, count: count)
    imaginary.replace(at: to, by: encoder.imaginary, from: from, count: count)
    mix.real.replace(at: 0, by: encoder.real, from: from, count: count)
    mix.imaginary.replace(at: 0, by: encoder.imaginary, from: from, count: count)
    synthesis.synthesize(mix, slotCount: 32, into: &halved)
  }
}
