import AacornSignal

/// Transforms of eight slots, or of both parts of four slots, side by side, for the filter banks.
///
/// A DCT-IV of 64 values is t · FFT₃₂(t · (u[2n] + i·u[63−2n])) with t[n] = exp(−iπ(8n + 1)/512).
/// Its lines 2k are the real parts and 63−2k the negated imaginary parts. This type provides the
/// two rotations and the Fourier transform; the filter banks arrange the values.
struct QMFTransform: Sendable {
  /// The number of slots that are transformed together.
  static let slots = 8

  private var fft = LaneFFT(points: 32)
  /// Element n of lane l is at 8n + l.
  var real = [Float](repeating: 0, count: 256)
  var imaginary = [Float](repeating: 0, count: 256)
  /// The rotation t, and t times the scale of the result.
  let inputRotation, outputRotation: DCT4.Twiddle

  init(scale: Float) {
    inputRotation = DCT4.Twiddle(count: 32)
    outputRotation = DCT4.Twiddle(count: 32, scale: scale)
  }

  /// Transforms `real` and `imaginary`, which the filter bank has filled.
  mutating func transform() { fft.transform(&real, &imaginary) }

  /// The transformed values, and the rotation of the result.
  @unsafe
  struct Result {
    let real, imaginary, cosines, sines: UnsafePointer<Float>
  }

  /// Calls `body` with pointers that are valid until it returns.
  @inline(__always)
  func withResult(_ body: (Result) -> Void) {
    unsafe Self.withResult(
      real: real, imaginary: imaginary, cosines: outputRotation.cosines,
      sines: outputRotation.sines, body)
  }

  @inline(__always)
  private static func withResult(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, cosines: UnsafePointer<Float>,
    sines: UnsafePointer<Float>, _ body: (Result) -> Void
  ) {
    unsafe body(Result(real: real, imaginary: imaginary, cosines: cosines, sines: sines))
  }
}

/// Four vectors, and their transposition.
struct LaneSquare {
  var a, b, c, d: Lanes

  @inline(__always)
  init(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  /// Loads the vectors that start at `offset` + 0, 1, 2 and 3 times `stride`.
  @inline(__always)
  init(_ base: UnsafePointer<Float>, _ offset: Int, stride: Int) {
    a = unsafe base.lanes(offset)
    b = unsafe base.lanes(offset &+ stride)
    c = unsafe base.lanes(offset &+ 2 &* stride)
    d = unsafe base.lanes(offset &+ 3 &* stride)
  }

  // Pairs of floats move first, as 64-bit numbers: from single floats, the compiler would build each
  // row separately, and compute the rows in scalar arithmetic before that.
  @inline(__always)
  var transposed: LaneSquare {
    let (pa, pb, pc, pd) = (Self.pairs(a), Self.pairs(b), Self.pairs(c), Self.pairs(d))
    let (abLow, abHigh) = (Self.lanes(pa[0], pb[0]), Self.lanes(pa[1], pb[1]))
    let (cdLow, cdHigh) = (Self.lanes(pc[0], pd[0]), Self.lanes(pc[1], pd[1]))
    return LaneSquare(
      Lanes(abLow[0], abLow[2], cdLow[0], cdLow[2]), Lanes(abLow[1], abLow[3], cdLow[1], cdLow[3]),
      Lanes(abHigh[0], abHigh[2], cdHigh[0], cdHigh[2]),
      Lanes(abHigh[1], abHigh[3], cdHigh[1], cdHigh[3]))
  }

  @inline(__always)
  private static func pairs(_ vector: Lanes) -> SIMD2<UInt64> {
    unsafe unsafeBitCast(vector, to: SIMD2<UInt64>.self)
  }

  @inline(__always)
  private static func lanes(_ first: UInt64, _ second: UInt64) -> Lanes {
    unsafe unsafeBitCast(SIMD2<UInt64>(first, second), to: Lanes.self)
  }

  /// Stores the vectors at `offset` + 0, 1, 2 and 3 times `stride`.
  @inline(__always)
  func store(_ base: UnsafeMutablePointer<Float>, _ offset: Int, stride: Int) {
    unsafe base.store(a, offset)
    unsafe base.store(b, offset &+ stride)
    unsafe base.store(c, offset &+ 2 &* stride)
    unsafe base.store(d, offset &+ 3 &* stride)
  }
}

/// Complex values of 64 bands of the filter bank over a frame: slot · 64 + band.
///
/// It has the slots of the frame (32, or 30 for 960 samples) and six of look-ahead, which are valid
/// only in the low bands.
struct QMFFrame: Sendable {
  /// The number of slots of a frame and its look-ahead.
  static let slotCount = 38

  var real: [Float]
  var imaginary: [Float]

  init() {
    // Vectors may be stored up to three bands past the end.
    real = [Float](repeating: 0, count: Self.slotCount * 64 + 4)
    imaginary = real
  }
}
