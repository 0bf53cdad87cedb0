/// A radix-8 butterfly on vectors: the discrete Fourier transform of eight complex elements.
///
/// It is two transforms of four, joined. Every operand is loaded where it is first needed and every
/// result leaves at once, because sixteen vectors are all the registers there are.
enum Octet {
  /// A vector of complex numbers.
  struct Complex {
    var re, im: Lanes

    @inline(__always)
    init(_ re: Lanes, _ im: Lanes) {
      self.re = re
      self.im = im
    }

    @inline(__always)
    static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }

    @inline(__always)
    static func - (a: Complex, b: Complex) -> Complex { Complex(a.re - b.re, a.im - b.im) }

    /// The product with c + is.
    @inline(__always)
    func turned(_ c: Lanes, _ s: Lanes) -> Complex {
      Complex(re * c - im * s, re * s + im * c)
    }

    /// The product with −i.
    @inline(__always)
    var turnedBack: Complex { Complex(im, Lanes.zero - re) }
  }

  /// Transforms elements 0…7, each fetched by `load`, and gives them to `store` in natural order.
  @inline(__always)
  static func transform(load: (Int) -> Complex, store: (Int, Complex) -> Void) {
    let odd = transform4(load(1), load(3), load(5), load(7))
    let even = transform4(load(0), load(2), load(4), load(6))
    // Odd results times exp(−iπk/4).
    let half = Lanes(repeating: 0.70710678)
    store(0, even.0 + odd.0)
    store(4, even.0 - odd.0)
    let one = Complex((odd.1.re + odd.1.im) * half, (odd.1.im - odd.1.re) * half)
    store(1, even.1 + one)
    store(5, even.1 - one)
    store(2, Complex(even.2.re + odd.2.im, even.2.im - odd.2.re))
    store(6, Complex(even.2.re - odd.2.im, even.2.im + odd.2.re))
    let three = Complex((odd.3.im - odd.3.re) * half, (odd.3.re + odd.3.im) * half)
    store(3, Complex(even.3.re + three.re, even.3.im - three.im))
    store(7, Complex(even.3.re - three.re, even.3.im + three.im))
  }

  @inline(__always)
  private static func transform4(
    _ a: Complex, _ b: Complex, _ c: Complex, _ d: Complex
  ) -> (Complex, Complex, Complex, Complex) {
    let (s, t) = (a + c, a - c)
    let (u, v) = (b + d, b - d)
    return (
      s + u, Complex(t.re + v.im, t.im - v.re), s - u, Complex(t.re - v.im, t.im + v.re)
    )
  }
}
