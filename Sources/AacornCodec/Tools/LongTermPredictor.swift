import AacornSignal

/// Prediction of a frame from audio a pitch period ago, object type LTP (ISO/IEC 14496-3, 4.6.7).
///
///     history   | last frame but one | last frame | its second half, still to be overlapped |
///                        ◄──────── lag ────────── end
///
/// Two frames of the history are windowed and transformed like the frame itself; the lines of the
/// predicted bands are added.
struct LongTermPredictor: Sendable {
  private let length: Int
  private var history: [Float]
  private var block: [Float]
  private var mdct: MDCT
  private(set) var lines: [Float]

  private static let gains: [Float] = [
    0.570829, 0.696616, 0.813004, 0.911304, 0.984900, 1.067894, 1.194601, 1.369533,
  ]

  init(frameLength: Int) {
    length = frameLength
    history = [Float](repeating: 0, count: 3 * frameLength)
    block = [Float](repeating: 0, count: 2 * frameLength)
    mdct = MDCT(frameLength: frameLength)
    lines = [Float](repeating: 0, count: frameLength)
  }

  mutating func reset() {
    for n in 0..<history.count { history[n] = 0 }
  }

  /// Adds the prediction of a channel to its lines.
  mutating func apply(
    _ channel: ParsedChannel, offsets: [Int], bandLimit: Int, previousShape: WindowShape,
    table: WindowTable, shaping: inout NoiseShapingSynthesis, to spectrum: inout [Float]
  ) {
    let window = channel.window
    guard let prediction = window.longTermPrediction, !window.isShort else { return }
    predict(prediction)
    let left =
      window.sequence.hasShortLeftSlope ? table.steep(previousShape) : table.long(previousShape)
    let right =
      window.sequence.hasShortRightSlope ? table.steep(window.shape) : table.long(window.shape)
    mdct.long(block, from: 0, left: left, right: right, into: &lines)
    // The sum later passes the synthesis filters of temporal noise shaping, so the prediction
    // passes their inverse first.
    shaping.apply(.analysis, channel, offsets: offsets, bandLimit: bandLimit, to: &lines)
    for band in 0..<min(window.bandsPerGroup, LongTermPrediction.maxBandCount)
    where prediction.bands >> UInt64(band) & 1 != 0 {
      for line in offsets[band]..<offsets[band + 1] { spectrum[line] += lines[line] }
    }
  }

  /// Computes the audio `lag` samples ago; with a lag shorter than a frame, it ends with zeros.
  private mutating func predict(_ prediction: LongTermPrediction) {
    let gain = Self.gains[prediction.gainIndex & 7]
    // A lag has eleven bits, which exceeds the history for frames of 960 samples.
    let lag = min(prediction.lag, 2 * length)
    let available = min(lag + length, 2 * length)
    for n in 0..<2 * length {
      block[n] = n < available ? history[2 * length - lag + n] * gain : 0
    }
  }

  /// Appends a decoded frame and `tail`, its windowed samples that will overlap the next frame.
  ///
  /// The history is limited to the range of 16-bit samples, so that gains above one cannot
  /// accumulate.
  mutating func advance(_ samples: [Float], tail: [Float]) {
    for n in 0..<length {
      history[n] = history[length + n]
      history[length + n] = min(max(samples[n], -32_768), 32_767)
      history[2 * length + n] = min(max(tail[n], -32_768), 32_767)
    }
  }
}
