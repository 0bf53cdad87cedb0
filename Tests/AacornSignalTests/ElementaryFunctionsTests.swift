import Foundation
import Testing

@testable import AacornSignal

/// The encoder's functions, compared with the platform's.
@Suite struct ElementaryFunctionsTests {
  @Test func sinesAndCosinesAreWithinTheirError() {
    for step in 0...20_000 {
      let turn = Double(step) / 10_000
      let (sine, cosine) = ElementaryFunctions.sinCosPi(turn)
      // Near the zeros of a sine, the last bit of π causes an error of 2·10⁻¹⁶ per turn.
      #expect(abs(sine - sin(.pi * turn)) < 2e-15)
      #expect(abs(cosine - cos(.pi * turn)) < 2e-15)
    }
  }

  @Test func preciseFunctionsAreWithinTheirError() {
    for step in -2000...2000 {
      let x = Double(step) / 100
      let power = ElementaryFunctions.preciseExp2(x)
      #expect(abs(power / exp2(x) - 1) < 4e-15)
      #expect(abs(ElementaryFunctions.preciseLog2(power) - x) < 1e-11)
    }
    for degree in 2...96 {
      let root = ElementaryFunctions.root(1.4, degree: degree)
      #expect(abs(root - pow(1.4, 1 / Double(degree))) < 1e-14)
    }
  }

  @Test func quartersOfATurnAreExact() {
    #expect(ElementaryFunctions.sinCosPi(0) == (0, 1))
    #expect(ElementaryFunctions.sinCosPi(0.5) == (1, 0))
    #expect(ElementaryFunctions.sinCosPi(1) == (0, -1))
    #expect(ElementaryFunctions.sinCosPi(1.5) == (-1, 0))
  }

  @Test func logarithmsAreWithinTheirError() {
    var x = Float(1e-37)
    while x < 1e38 {
      let exact = Foundation.log2(Double(x))
      // The result itself is rounded to 24 bits.
      #expect(abs(Double(ElementaryFunctions.log2(x)) - exact) < 1.5e-6 + abs(exact) * 6e-8)
      x *= 1.0173
    }
    for exponent in -126...127 {
      let power = Float(sign: .plus, exponent: exponent, significand: 1)
      #expect(abs(ElementaryFunctions.log2(power) - Float(exponent)) < 2e-6)
    }
  }

  @Test func powersAreWithinTheirError() {
    var x = -126.0
    while x < 127 {
      let exact = Foundation.exp2(Double(Float(x)))
      let value = Double(ElementaryFunctions.exp2(Float(x)))
      #expect(abs(value / exact - 1) < 1.5e-6, "2^\(x)")
      x += 0.0317
    }
  }

  @Test func powersBeyondTheirRangeStayAtItsBounds() {
    let (smallest, largest) = (
      ElementaryFunctions.exp2(Float(-126)), ElementaryFunctions.exp2(Float(127))
    )
    for x: Float in [-127, -1000, -1e30] { #expect(ElementaryFunctions.exp2(x) == smallest) }
    for x: Float in [128, 1000, 1e30] { #expect(ElementaryFunctions.exp2(x) == largest) }
  }

  /// The start value of Newton's iteration has a kink at every fourth power of two.
  @Test func inverseFourthRootsAreWithinTheirError() {
    var x = Float(1.1e-30)
    while x < 1e37 {
      let four = Lanes(x, x * 1.7, x * 3.1, x * 9.3)
      let roots = ElementaryFunctions.inverseFourthRoot(four)
      for lane in 0..<4 {
        let exact = pow(Double(four[lane]), -0.25)
        #expect(abs(Double(roots[lane]) / exact - 1) < 1.5e-5, "\(four[lane])")
      }
      x *= 1.0023
    }
  }

  /// The root of 0 must be finite.
  ///
  /// Callers multiply it by 0, and the product must be 0, not NaN.
  @Test func inverseFourthRootsOfNextToNothingStayFinite() {
    let roots = ElementaryFunctions.inverseFourthRoot(Lanes(0, 1e-38, 1e-30, 0x1p-149))
    for lane in 0..<4 {
      #expect(roots[lane].isFinite && roots[lane] * roots[lane] < 2e15)
      #expect(roots[lane] > 3e7)
    }
  }

  @Test func fourLanesGiveWhatOneGives() {
    let x = Lanes(0.001, 1, 7.5, 1e9)
    let y = Lanes(-3.3, 0, 0.25, 17)
    for lane in 0..<4 {
      #expect(ElementaryFunctions.log2(x)[lane] == ElementaryFunctions.log2(x[lane]))
      #expect(ElementaryFunctions.exp2(y)[lane] == ElementaryFunctions.exp2(y[lane]))
    }
  }

  /// I₀(x) = 1/π ∫₀^π exp(x·cos t) dt, with the midpoint rule, which converges quickly here.
  @Test(arguments: [0, 0.5, 1, 3, 10, 12.566370614359172, 18.84955592153876, 40])
  func theBesselFunctionFollowsItsIntegral(x: Double) {
    let steps = 400
    var sum = 0.0
    for step in 0..<steps { sum += exp(x * cos(.pi * (Double(step) + 0.5) / Double(steps))) }
    #expect(
      abs(ElementaryFunctions.besselI0(ofSquareRootOf: x * x) / (sum / Double(steps)) - 1) < 1e-13)
  }

  @Test func lanesSumCompareAndMirror() {
    let lanes = Lanes(1, -8, 3, 4)
    #expect(lanes.total == 0)
    #expect(lanes.largest == 4)
    #expect(lanes.magnitude == Lanes(1, 8, 3, 4))
    #expect(lanes.mirrored == Lanes(4, 3, -8, 1))
  }

  @Test func rescaledTimeIsRoundedTowardZero() {
    #expect(44_099.rescaled(from: 44_100, to: 48_000) == 47_998)
    #expect((-44_099).rescaled(from: 44_100, to: 48_000) == -47_998)
    // The product of the time and the rate has 71 bits.
    let time: UInt64 = 1 << 60 + 1
    #expect(time.rescaled(from: 1000, to: 2000) == time * 2)
  }
}
