import AacornSignal

/// Rising half-windows, 1024 values each (the short ones 128).
///
///     long      0 ⟋ 1                 sine or KBD over 1024 samples
///     steep     0…0 ⟋ 1…1             448 zeros, a short slope of 128, 448 ones
///     short     ⟋                     128 samples
///
/// A falling half is the mirrored rising half. Frames of 960 samples have 960, 420 and 120 values.
struct WindowTable: Sendable {
  private let longSine: [Float]
  private let longKaiser: [Float]
  private let steepSine: [Float]
  private let steepKaiser: [Float]
  private let shortSine: [Float]
  private let shortKaiser: [Float]

  init(frameLength: Int = 1024) {
    longSine = Self.sine(frameLength)
    longKaiser = Self.kaiserBesselDerived(frameLength, alpha: 4)
    shortSine = Self.sine(frameLength / 8)
    shortKaiser = Self.kaiserBesselDerived(frameLength / 8, alpha: 6)
    steepSine = Self.steep(shortSine)
    steepKaiser = Self.steep(shortKaiser)
  }

  func long(_ shape: WindowShape) -> [Float] { shape == .sine ? longSine : longKaiser }
  func steep(_ shape: WindowShape) -> [Float] { shape == .sine ? steepSine : steepKaiser }
  func short(_ shape: WindowShape) -> [Float] { shape == .sine ? shortSine : shortKaiser }

  private static func sine(_ count: Int) -> [Float] {
    var window: [Float] = []
    for n in 0..<count {
      window.append(
        Float(ElementaryFunctions.sinCosPi((Double(n) + 0.5) / Double(2 * count)).sin))
    }
    return window
  }

  private static func kaiserBesselDerived(_ count: Int, alpha: Double) -> [Float] {
    var sums: [Double] = []
    var sum = 0.0
    let center = Double(count) / 2
    for p in 0...count {
      let x = (Double(p) - center) / center
      sum += ElementaryFunctions.besselI0(
        ofSquareRootOf: Double.pi * alpha * (Double.pi * alpha) * (1 - x * x))
      sums.append(sum)
    }
    var window: [Float] = []
    for n in 0..<count { window.append(Float((sums[n] / sum).squareRoot())) }
    return window
  }

  private static func steep(_ slope: [Float]) -> [Float] {
    let flat = slope.count * 7 / 2
    return [Float](repeating: 0, count: flat) + slope + [Float](repeating: 1, count: flat)
  }
}
