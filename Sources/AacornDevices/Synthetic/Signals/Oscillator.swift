/// A sine wave with a frequency that may change at any time without a click.
///
/// The phase is an integer, so it neither drifts nor loses precision. The sine is a polynomial, so
/// it is the same on every platform.
struct Oscillator: Sendable {
  /// The phase in units of 2^−32 turns.
  var phase: UInt32 = 0

  /// Advances by one frame and returns the sine.
  mutating func next(hertz: Double, sampleRate: Int) -> Double {
    phase &+= Self.step(hertz: hertz, sampleRate: sampleRate)
    return Self.sine(phase)
  }

  /// Returns the phase step per frame; `hertz` is below the rate.
  static func step(hertz: Double, sampleRate: Int) -> UInt32 {
    UInt32(min(hertz / Double(sampleRate), 0.999) * 0x1p32)
  }

  /// Returns the sine of a phase, to within 10^−9.
  static func sine(_ phase: UInt32) -> Double {
    var x = Double(Int32(bitPattern: phase)) * 0x1p-31
    if x > 0.5 { x = 1 - x } else if x < -0.5 { x = -1 - x }
    // Taylor's series at πx, |πx| ≤ π/2; the first omitted term is (π/2)^15 / 15!.
    let angle = x * Double.pi
    let square = angle * angle
    var sum = 1 - square * (1 / 156)
    sum = 1 - square * (1 / 110) * sum
    sum = 1 - square * (1 / 72) * sum
    sum = 1 - square * (1 / 42) * sum
    sum = 1 - square * (1 / 20) * sum
    return angle * (1 - square * (1 / 6) * sum)
  }
}
