import AacornSignal

/// Rising half-windows, 1024 values each (the short ones 128).
///
///     long      0 ⟋ 1                 sine or KBD over 1024 samples
///     steep     0…0 ⟋ 1…1             448 zeros, a short slope of 128, 448 ones
///     short     ⟋                     128 samples
///
/// A falling half is the rising one backwards.
struct WindowTable: Sendable {
  private let longSine: [Float]
  private let longKaiser: [Float]
  private let steepSine: [Float]
  private let steepKaiser: [Float]
  private let shortSine: [Float]
  private let shortKaiser: [Float]

  init() {
    longSine = Self.sine(1024)
    longKaiser = Self.kaiserBesselDerived(1024, alpha: 4)
    shortSine = Self.sine(128)
    shortKaiser = Self.kaiserBesselDerived(128, alpha: 6)
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
    [Float](repeating: 0, count: 448) + slope + [Float](repeating: 1, count: 448)
  }
}
