/// The discrete Fourier transforms of two, three, four, five and eight complex elements.
///
/// Each function computes four transforms at once, one in each lane. They are the building blocks
/// of longer transforms.
///
/// Elements are loaded by `load` and passed to `store` in natural order. In the largest transform,
/// every operand is loaded when it is first needed and every result is stored immediately, because
/// x86-64 has only sixteen vector registers.
enum Butterfly {
  @inline(__always)
  static func transform(
    _ count: Int, load: (Int) -> ComplexLanes, store: (Int, ComplexLanes) -> Void
  ) {
    switch count {
    case 8: eight(load, store)
    case 5: five(load, store)
    case 4: four(load, store)
    case 3: three(load, store)
    default: two(load, store)
    }
  }

  @inline(__always)
  private static func two(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let (a, b) = (load(0), load(1))
    store(0, a + b)
    store(1, a - b)
  }

  @inline(__always)
  private static func three(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let a = load(0)
    let (b, c) = (load(1), load(2))
    let sum = b + c
    let middle = a - sum * 0.5
    let side = ((b - c) * 0.8660254).timesMinusI
    store(0, a + sum)
    store(1, middle + side)
    store(2, middle - side)
  }

  @inline(__always)
  private static func four(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let result = four(load(0), load(1), load(2), load(3))
    store(0, result.0)
    store(1, result.1)
    store(2, result.2)
    store(3, result.3)
  }

  @inline(__always)
  private static func five(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let a = load(0)
    let (b, e) = (load(1), load(4))
    let (c, d) = (load(2), load(3))
    let (outer, inner) = (b + e, c + d)
    store(0, a + outer + inner)
    // cos 2π/5, cos 4π/5 and their sines.
    let near = a + outer * 0.30901699 - inner * 0.80901699
    let far = a - outer * 0.80901699 + inner * 0.30901699
    let nearSide = ((b - e) * 0.95105652 + (c - d) * 0.58778525).timesMinusI
    let farSide = ((b - e) * 0.58778525 - (c - d) * 0.95105652).timesMinusI
    store(1, near + nearSide)
    store(4, near - nearSide)
    store(2, far + farSide)
    store(3, far - farSide)
  }

  /// Computes a transform of eight elements from two transforms of four.
  @inline(__always)
  private static func eight(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let odd = four(load(1), load(3), load(5), load(7))
    let even = four(load(0), load(2), load(4), load(6))
    // Odd results times exp(−iπk/4).
    let half = Lanes(repeating: 0.70710678)
    store(0, even.0 + odd.0)
    store(4, even.0 - odd.0)
    let one = ComplexLanes((odd.1.re + odd.1.im) * half, (odd.1.im - odd.1.re) * half)
    store(1, even.1 + one)
    store(5, even.1 - one)
    store(2, ComplexLanes(even.2.re + odd.2.im, even.2.im - odd.2.re))
    store(6, ComplexLanes(even.2.re - odd.2.im, even.2.im + odd.2.re))
    let three = ComplexLanes((odd.3.im - odd.3.re) * half, (odd.3.re + odd.3.im) * half)
    store(3, ComplexLanes(even.3.re + three.re, even.3.im - three.im))
    store(7, ComplexLanes(even.3.re - three.re, even.3.im + three.im))
  }

  @inline(__always)
  private static func four(
    _ a: ComplexLanes, _ b: ComplexLanes, _ c: ComplexLanes, _ d: ComplexLanes
  ) -> (ComplexLanes, ComplexLanes, ComplexLanes, ComplexLanes) {
    let (s, t) = (a + c, a - c)
    let (u, v) = (b + d, b - d)
    return (
      s + u, ComplexLanes(t.re + v.im, t.im - v.re), s - u, ComplexLanes(t.re - v.im, t.im + v.re)
    )
  }
}
