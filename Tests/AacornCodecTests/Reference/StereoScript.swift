import TestSignals

@testable import AacornCodec

/// Stereo parameters for some frames, both as bits and as the resulting matrices.
struct StereoScript {
  /// The indices of the bands of one envelope.
  struct Envelope {
    var border: Int
    var levels: [Int]
    var coherences: [Int]
    var phaseDifferences: [Int] = []
    var overallPhases: [Int] = []
  }

  var header: StereoHeader
  var hasPhases = false
  var frames: [[Envelope]] = []
  var slotCount = 32

  /// Creates random parameters.
  ///
  /// `borders` are per frame; nil divides a frame evenly.
  init(
    header: StereoHeader, hasPhases: Bool = false, counts: [Int], borders: [[Int]]? = nil,
    slotCount: Int = 32, seed: UInt64 = 1
  ) {
    var random = SeededNumbers(seed: seed)
    self.header = header
    self.hasPhases = hasPhases
    self.header.hasExtension = hasPhases
    self.slotCount = slotCount
    for (frame, count) in counts.enumerated() {
      frames.append(
        (0..<count).map { envelope in
          let border = borders.map { $0[frame][envelope] }
          let (bands, phases) = (
            header.levelResolution.bandCount, header.levelResolution.phaseBandCount
          )
          let limit = header.levelLimit
          return Envelope(
            border: border ?? (envelope + 1) * slotCount / count - 1,
            levels: (0..<bands).map { _ in Int.random(in: -limit...limit, using: &random) },
            coherences: (0..<header.coherenceResolution.bandCount).map { _ in
              Int.random(in: 0...7, using: &random)
            },
            phaseDifferences: (0..<phases).map { _ in Int.random(in: 0...7, using: &random) },
            overallPhases: (0..<phases).map { _ in Int.random(in: 0...7, using: &random) })
        })
    }
    hasBorders = borders != nil
  }

  private let hasBorders: Bool

  /// ps_data of a frame, padded to bytes, and the number of bits.
  func data(_ frame: Int) -> (bytes: [UInt8], bitCount: Int) {
    var bits = BitWriter()
    func putFlag(_ flag: Bool) { bits.put(flag ? 1 : 0, count: 1) }
    putFlag(frame == 0)
    if frame == 0 {
      putFlag(header.hasLevels)
      if header.hasLevels { bits.put(UInt32(header.levelMode), count: 3) }
      putFlag(header.hasCoherences)
      if header.hasCoherences { bits.put(UInt32(header.coherenceMode), count: 3) }
      putFlag(header.hasExtension)
    }
    let envelopes = frames[frame]
    let count = envelopes.count
    putFlag(hasBorders)
    bits.put(UInt32(hasBorders ? count - 1 : count == 4 ? 3 : count), count: 2)
    if hasBorders { for envelope in envelopes { bits.put(UInt32(envelope.border), count: 5) } }
    let fine = header.hasFineLevels
    if header.hasLevels {
      let books = [
        fine ? StereoBooks.fineLevel : StereoBooks.level,
        fine ? StereoBooks.fineLevelTime : StereoBooks.levelTime,
      ]
      for e in envelopes.indices { put(frame, e, \.levels, books, into: &bits) }
    }
    if header.hasCoherences {
      let books = [StereoBooks.coherence, StereoBooks.coherenceTime]
      for e in envelopes.indices { put(frame, e, \.coherences, books, into: &bits) }
    }
    if hasPhases {
      var extra = BitWriter()
      extra.put([(0, 2), (1, 1)])
      let books = [StereoBooks.phaseDifference, StereoBooks.phaseDifferenceTime]
      let overallBooks = [StereoBooks.overallPhase, StereoBooks.overallPhaseTime]
      for e in envelopes.indices {
        put(frame, e, \.phaseDifferences, books, wraps: true, into: &extra)
        put(frame, e, \.overallPhases, overallBooks, wraps: true, into: &extra)
      }
      extra.put(0, count: 1)
      let size = UInt32(extra.bytes.count)
      bits.put(min(size, 15), count: 4)
      if size >= 15 { bits.put(size - 15, count: 8) }
      for byte in extra.bytes { bits.put(UInt32(byte), count: 8) }
    }
    let bitCount = bits.bitCount
    while bits.bitCount % 8 != 0 { bits.put(1, count: 1) }
    return (bits.bytes, bitCount)
  }

  /// Codes an envelope in time if the sum of its number and the frame's is odd, or in frequency.
  private func put(
    _ frame: Int, _ e: Int, _ name: KeyPath<Envelope, [Int]>, _ books: [PrefixCode],
    wraps: Bool = false, into bits: inout BitWriter
  ) {
    let before = e > 0 ? frames[frame][e - 1] : frame > 0 ? frames[frame - 1].last : nil
    let overTime = before != nil && (frame + e) % 2 == 1
    bits.put(overTime ? 1 : 0, count: 1)
    var last = 0
    for (band, value) in frames[frame][e][keyPath: name].enumerated() {
      if overTime, let before { last = before[keyPath: name][band] }
      let difference = wraps ? (value - last) & 7 : value - last
      books[overTime ? 1 : 0].put(difference, to: &bits)
      last = value
    }
  }

  /// The matrices for `ReferenceStereo`, with their slots.
  func borders(_ reference: ReferenceStereo) -> [(slot: Int, matrices: ReferenceStereo.Matrices)] {
    typealias Complex = ReferenceStereo.Complex
    var history = [[(Int, Int)]](repeating: [(0, 0), (0, 0)], count: reference.bandCount)
    var result: [(slot: Int, matrices: ReferenceStereo.Matrices)] = []
    for (index, frame) in frames.enumerated() {
      var envelopes = frame
      if var last = frame.last, last.border < slotCount - 1 {
        last.border = slotCount - 1
        envelopes.append(last)
      }
      for envelope in envelopes {
        let matrices = (0..<reference.bandCount).map { band in
          let level = Self.map(envelope.levels, band, reference.bandCount)
          let coherence = Self.map(envelope.coherences, band, reference.bandCount)
          var matrix = ReferenceStereo.matrix(
            decibels: Self.decibels(level, isFine: header.hasFineLevels),
            coherence: Double(StereoTables.coherences[coherence]),
            bySecond: header.usesSecondMixing)
          if hasPhases && band < (reference.bandCount == 34 ? 17 : 11) {
            let phases = (
              Self.map(envelope.phaseDifferences, band, reference.bandCount),
              Self.map(envelope.overallPhases, band, reference.bandCount)
            )
            history[band] = history[band].suffix(2) + [phases]
            func smooth(_ path: KeyPath<(Int, Int), Int>) -> Complex {
              let sum = zip(history[band], [0.25, 0.5, 1]).reduce(Complex()) {
                $0 + Complex.turn(.pi / 4 * Double($1.0[keyPath: path])) * $1.1
              }
              return sum * (1 / sum.power.squareRoot())
            }
            let (difference, left) = (smooth(\.0), smooth(\.1))
            let right = left * Complex(re: difference.re, im: -difference.im)
            matrix = [matrix[0] * left, matrix[1] * right, matrix[2] * left, matrix[3] * right]
          }
          return matrix
        }
        result.append((index * slotCount + envelope.border, matrices))
      }
    }
    return result
  }

  /// Maps the sent indices to the index of one of 20 or 34 bands.
  static func map(_ values: [Int], _ band: Int, _ bandCount: Int) -> Int {
    switch values.count {
    case 10, 5: band / 2 < values.count ? values[band / 2] : 0
    default: values[band]
    }
  }

  /// The decibels of a level (tables 8.24 and 8.25).
  static func decibels(_ level: Int, isFine: Bool) -> Double {
    let steps =
      isFine
      ? [0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 30, 35, 40, 45, 50] : [0, 2, 4, 7, 10, 14, 18, 25]
    return Double(level < 0 ? -steps[-level] : steps[level])
  }
}
