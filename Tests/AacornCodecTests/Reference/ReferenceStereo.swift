import Foundation

@testable import AacornCodec

/// Parametric stereo by its definitions (ISO/IEC 14496-3, 8.6.4), for a whole sound and without
/// optimization.
struct ReferenceStereo {
  struct Complex {
    var re = 0.0
    var im = 0.0

    static func + (a: Complex, b: Complex) -> Complex { Complex(re: a.re + b.re, im: a.im + b.im) }
    static func * (a: Complex, b: Complex) -> Complex {
      Complex(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
    }
    static func * (a: Complex, b: Double) -> Complex { Complex(re: a.re * b, im: a.im * b) }
    static func turn(_ angle: Double) -> Complex { Complex(re: cos(angle), im: sin(angle)) }
    var power: Double { re * re + im * im }
  }

  /// The mixing matrix of each band: h11, h12, h21, h22.
  typealias Matrices = [[Complex]]

  let hasThirtyFourBands: Bool
  var bandCount: Int { hasThirtyFourBands ? 34 : 20 }
  var bands: [Int] {
    (hasThirtyFourBands ? StereoTables.bandsOfThirtyFour : StereoTables.bandsOfTwenty).map(Int.init)
  }

  /// The QMF band of each sub-subband.
  var sources: [Int] {
    let low =
      hasThirtyFourBands
      ? [Int](repeating: 0, count: 12) + [Int](repeating: 1, count: 8)
        + [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4] : [0, 0, 0, 0, 0, 0, 1, 1, 2, 2]
    return low + Array((hasThirtyFourBands ? 5 : 3)..<64)
  }

  /// The 13 taps of the filter for sub-subband `q` of `parts`.
  static func filter(_ half: [Float], _ q: Int, of parts: Int) -> [Complex] {
    (0..<13).map { n in
      let tap = Double(half[min(n, 12 - n)])
      return parts == 2
        ? Complex(re: tap * cos(.pi * Double(q * (n - 6))))
        : Complex.turn(
          2 * .pi / Double(parts) * (Double(q) + 0.5) * Double(n - 6)) * tap
    }
  }

  /// The filters of each sub-subband that has any; their outputs are added.
  var filters: [[[Complex]]] {
    if hasThirtyFourBands {
      return (0..<12).map { [Self.filter(StereoTables.twelveOfThirtyFour, $0, of: 12)] }
        + (0..<8).map { [Self.filter(StereoTables.eightOfThirtyFour, $0, of: 8)] }
        + (0..<12).map { [Self.filter(StereoTables.fourOfThirtyFour, $0 % 4, of: 4)] }
    }
    let eight = [[6], [7], [0], [1], [2, 5], [3, 4]].map {
      $0.map { Self.filter(StereoTables.eightOfTwenty, $0, of: 8) }
    }
    return eight + [1, 0, 0, 1].map { [Self.filter(StereoTables.twoOfTwenty, $0, of: 2)] }
  }

  /// Splits slots of 64 bands into sub-subbands: [k][slot].
  func split(_ slots: [[Complex]]) -> [[Complex]] {
    let filters = filters
    return sources.enumerated().map { k, band in
      let column = slots.map { $0[band] }
      guard k < filters.count else { return column }
      let chosen = filters[k]
      return column.indices.map { slot in
        var sum = Complex()
        for filter in chosen {
          // Tap n belongs to the sample n before the last; tap 6 is the center.
          for n in 0..<13 where column.indices.contains(slot + 6 - n) {
            sum = sum + column[slot + 6 - n] * filter[n]
          }
        }
        return sum
      }
    }
  }

  /// The decorrelated signal of sub-subband k without the gain for transients.
  func decorrelate(_ s: [Complex], _ k: Int) -> [Complex] {
    func delayed(_ x: [Complex], _ slots: Int) -> [Complex] {
      [Complex](repeating: Complex(), count: slots) + x.dropLast(slots)
    }
    let (cutoff, filtered, long) = hasThirtyFourBands ? (32, 50, 62) : (10, 30, 42)
    if k >= long { return delayed(s, 1) }
    if k >= filtered { return delayed(s, 14) }
    let centers =
      hasThirtyFourBands ? StereoTables.centersOfThirtyFour : StereoTables.centersOfTwenty
    let center =
      k < centers.count
      ? Double(centers[k]) / (hasThirtyFourBands ? 24 : 8)
      : Double(k) - (hasThirtyFourBands ? 26.5 : 6.5)
    let slope = min(max(1 - 0.05 * Double(k - cutoff), 0), 1)
    var x = delayed(s, 2).map { $0 * Complex.turn(-.pi * 0.39 * center) }
    for (link, delay) in [3, 4, 5].enumerated() {
      let feedback = [0.65143905753106, 0.56471812200776, 0.48954165955695][link] * slope
      let turn = Complex.turn(-.pi * [0.43, 0.75, 0.347][link] * center)
      var y: [Complex] = []
      for n in x.indices {
        let late = n >= delay ? (x[n - delay] + y[n - delay] * feedback) * turn : Complex()
        y.append(late + x[n] * -feedback)
      }
      x = y
    }
    return x
  }

  /// The gains of each band: [band][slot].
  func gains(_ s: [[Complex]]) -> [[Double]] {
    let bands = bands
    return (0..<bandCount).map { band in
      var (peak, mean, decay) = (0.0, 0.0, 0.0)
      return s[0].indices.map { slot in
        let power = s.indices.filter { bands[$0] == band }.reduce(0) { $0 + s[$1][slot].power }
        peak = max(0.76592833836465 * peak, power)
        mean += 0.25 * (power - mean)
        decay += 0.25 * (peak - power - decay)
        return 1.5 * decay > mean ? mean / (1.5 * decay) : 1
      }
    }
  }

  /// Mixes slots of 64 bands; `matrices` apply at the given slots and before the first.
  func stereo(
    _ slots: [[Complex]], _ borders: [(slot: Int, matrices: Matrices)]
  ) -> (left: [[Complex]], right: [[Complex]]) {
    let s = split(slots)
    let gains = gains(s)
    let (bands, sources) = (bands, sources)
    var left = slots.map { $0.map { _ in Complex() } }
    var right = left
    let negative = hasThirtyFourBands ? 9...13 : 0...1
    for k in s.indices {
      let d = decorrelate(s[k], k)
      var (start, old) = (-1, [Complex](repeating: Complex(), count: 4))
      for border in borders {
        let new = border.matrices[bands[k]]
        if negative.contains(k) { old = old.map { Complex(re: $0.re, im: -$0.im) } }
        for slot in stride(from: start + 1, through: border.slot, by: 1) {
          let part = Double(slot - start) / Double(border.slot - start)
          let h = zip(old, new).map { $0 * (1 - part) + $1 * part }
          let side = d[slot] * gains[bands[k]][slot]
          let band = sources[k]
          left[slot][band] = left[slot][band] + h[0] * s[k][slot] + h[2] * side
          right[slot][band] = right[slot][band] + h[1] * s[k][slot] + h[3] * side
        }
        (start, old) = (border.slot, new)
      }
    }
    return (left, right)
  }

  /// The matrix for a level in decibels and a coherence (8.6.4.6.2).
  static func matrix(decibels: Double, coherence: Double, bySecond: Bool) -> [Complex] {
    let ratio = pow(10, decibels / 20)
    let right = 2.0.squareRoot() / (1 + ratio * ratio).squareRoot()
    let left = ratio * right
    if !bySecond {
      let alpha = acos(coherence) / 2
      let beta = alpha * (right - left) / 2.0.squareRoot()
      return [
        left * cos(beta + alpha), right * cos(beta - alpha), left * sin(beta + alpha),
        right * sin(beta - alpha),
      ].map { Complex(re: $0) }
    }
    let coherence = max(coherence, 0.05)
    let alpha = atan2(2 * ratio * coherence, ratio * ratio - 1) / 2
    let mean = ratio + 1 / ratio
    let spread = (1 + (4 * coherence * coherence - 4) / (mean * mean)).squareRoot()
    let gamma = atan(((1 - spread) / (1 + spread)).squareRoot())
    let root = 2.0.squareRoot()
    return [
      root * cos(alpha) * cos(gamma), root * sin(alpha) * cos(gamma),
      -root * sin(alpha) * sin(gamma), root * cos(alpha) * sin(gamma),
    ].map { Complex(re: $0) }
  }
}
