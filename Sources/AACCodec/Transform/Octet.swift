/// Eight complex vectors: the operands of one radix-8 butterfly.
struct Octet {
  private var r0, r1, r2, r3, r4, r5, r6, r7: Lanes
  private var i0, i1, i2, i3, i4, i5, i6, i7: Lanes

  /// Loads element k from `at` + k·`step`.
  @inline(__always)
  init(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, at: Int, step: Int
  ) {
    r0 = unsafe real.lanes(at)
    r1 = unsafe real.lanes(at + step)
    r2 = unsafe real.lanes(at + 2 * step)
    r3 = unsafe real.lanes(at + 3 * step)
    r4 = unsafe real.lanes(at + 4 * step)
    r5 = unsafe real.lanes(at + 5 * step)
    r6 = unsafe real.lanes(at + 6 * step)
    r7 = unsafe real.lanes(at + 7 * step)
    i0 = unsafe imaginary.lanes(at)
    i1 = unsafe imaginary.lanes(at + step)
    i2 = unsafe imaginary.lanes(at + 2 * step)
    i3 = unsafe imaginary.lanes(at + 3 * step)
    i4 = unsafe imaginary.lanes(at + 4 * step)
    i5 = unsafe imaginary.lanes(at + 5 * step)
    i6 = unsafe imaginary.lanes(at + 6 * step)
    i7 = unsafe imaginary.lanes(at + 7 * step)
  }

  /// Loads four rows of eight, multiplies them by the twiddles and turns rows into lanes.
  @inline(__always)
  init(
    twiddled real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    typealias Row = (real: Lanes, imaginary: Lanes)
    @inline(__always)
    func row(_ offset: Int) -> Row {
      let re = unsafe real.lanes(offset)
      let im = unsafe imaginary.lanes(offset)
      let c = unsafe cosines.lanes(offset)
      let s = unsafe sines.lanes(offset)
      return (re * c - im * s, re * s + im * c)
    }
    let (a, b, c, d) = (row(0), row(8), row(16), row(24))
    (r0, r1, r2, r3) = Self.transpose(a.real, b.real, c.real, d.real)
    (i0, i1, i2, i3) = Self.transpose(a.imaginary, b.imaginary, c.imaginary, d.imaginary)
    let (e, f, g, h) = (row(4), row(12), row(20), row(28))
    (r4, r5, r6, r7) = Self.transpose(e.real, f.real, g.real, h.real)
    (i4, i5, i6, i7) = Self.transpose(e.imaginary, f.imaginary, g.imaginary, h.imaginary)
  }

  /// Stores element k at `at` + k·`step`.
  @inline(__always)
  func store(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, at: Int,
    step: Int
  ) {
    unsafe real.store(r0, at)
    unsafe real.store(r1, at + step)
    unsafe real.store(r2, at + 2 * step)
    unsafe real.store(r3, at + 3 * step)
    unsafe real.store(r4, at + 4 * step)
    unsafe real.store(r5, at + 5 * step)
    unsafe real.store(r6, at + 6 * step)
    unsafe real.store(r7, at + 7 * step)
    unsafe imaginary.store(i0, at)
    unsafe imaginary.store(i1, at + step)
    unsafe imaginary.store(i2, at + 2 * step)
    unsafe imaginary.store(i3, at + 3 * step)
    unsafe imaginary.store(i4, at + 4 * step)
    unsafe imaginary.store(i5, at + 5 * step)
    unsafe imaginary.store(i6, at + 6 * step)
    unsafe imaginary.store(i7, at + 7 * step)
  }

  /// Multiplies element k by cosines[k] + i·sines[k]; element 0's factor is 1.
  @inline(__always)
  mutating func rotate(_ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>) {
    @inline(__always)
    func turn(_ re: inout Lanes, _ im: inout Lanes, _ k: Int) {
      let c = unsafe cosines[k]
      let s = unsafe sines[k]
      let real = re * c - im * s
      im = re * s + im * c
      re = real
    }
    turn(&r1, &i1, 1)
    turn(&r2, &i2, 2)
    turn(&r3, &i3, 3)
    turn(&r4, &i4, 4)
    turn(&r5, &i5, 5)
    turn(&r6, &i6, 6)
    turn(&r7, &i7, 7)
  }

  /// The discrete Fourier transform of the eight, in natural order: two of four points, joined.
  @inline(__always)
  mutating func transform() {
    let even = Self.transform4(r0, i0, r2, i2, r4, i4, r6, i6)
    let odd = Self.transform4(r1, i1, r3, i3, r5, i5, r7, i7)
    let half = Float(0.70710678)
    // Odd results times exp(−iπk/4), k = 1, 2, 3.
    let re1 = (odd.r1 + odd.i1) * half
    let im1 = (odd.i1 - odd.r1) * half
    let re3 = (odd.i3 - odd.r3) * half
    let im3 = -(odd.i3 + odd.r3) * half
    r0 = even.r0 + odd.r0
    i0 = even.i0 + odd.i0
    r4 = even.r0 - odd.r0
    i4 = even.i0 - odd.i0
    r1 = even.r1 + re1
    i1 = even.i1 + im1
    r5 = even.r1 - re1
    i5 = even.i1 - im1
    r2 = even.r2 + odd.i2
    i2 = even.i2 - odd.r2
    r6 = even.r2 - odd.i2
    i6 = even.i2 + odd.r2
    r3 = even.r3 + re3
    i3 = even.i3 + im3
    r7 = even.r3 - re3
    i7 = even.i3 - im3
  }

  private struct Quartet {
    var r0, i0, r1, i1, r2, i2, r3, i3: Lanes
  }

  @inline(__always)
  private static func transform4(
    _ ar: Lanes, _ ai: Lanes, _ br: Lanes, _ bi: Lanes, _ cr: Lanes, _ ci: Lanes, _ dr: Lanes,
    _ di: Lanes
  ) -> Quartet {
    let (sr, si) = (ar + cr, ai + ci)
    let (tr, ti) = (ar - cr, ai - ci)
    let (ur, ui) = (br + dr, bi + di)
    let (vr, vi) = (br - dr, bi - di)
    return Quartet(
      r0: sr + ur, i0: si + ui, r1: tr + vi, i1: ti - vr, r2: sr - ur, i2: si - ui, r3: tr - vi,
      i3: ti + vr)
  }

  @inline(__always)
  private static func transpose(
    _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes
  ) -> (Lanes, Lanes, Lanes, Lanes) {
    (
      Lanes(a[0], b[0], c[0], d[0]), Lanes(a[1], b[1], c[1], d[1]),
      Lanes(a[2], b[2], c[2], d[2]), Lanes(a[3], b[3], c[3], d[3])
    )
  }
}
