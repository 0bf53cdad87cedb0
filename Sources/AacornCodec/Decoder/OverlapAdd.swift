import AacornSignal

/// Windows the terms of a channel's inverse transform and adds the previous frame.
///
/// ISO/IEC 14496-3, 4.6.11.3.
///
/// The second half of a long window is stored before windowing, as the low half of its terms: a
/// sample of the output and its mirror image then take two terms and four products,
///
///     out[n]       =  w[n]·h[n] − v[M−1−n]·l[M/2−1−n]
///     out[M−1−n]   = −w[M−1−n]·h[n] − v[n]·l[M/2−1−n]      n < M/2
///
/// with h the high half of this frame's terms, l the low half of the previous frame's terms, w the
/// rising slope of this frame, and v the falling slope of the previous one, mirrored. The same
/// formula joins eight short windows into samples, and their second half is stored as samples.
struct OverlapAdd: Sendable {
  /// The slope to apply to the end of the last frame; `windowed` if that end is already windowed.
  private enum Slope {
    case long, steep, windowed
  }

  private let length: Int
  /// The low half of the last frame's terms, unless it ended with short windows.
  private var terms: [Float]
  /// The second half of the last frame, windowed, if `slope` is `windowed`.
  private var samples: [Float]
  private var slope = Slope.long
  private var shape = WindowShape.sine
  /// The eight short windows of a frame, joined: its own samples and the overlap with the next
  /// frame.
  private var block: [Float]
  private let zeros: [Float]

  init(frameLength: Int) {
    length = frameLength
    terms = [Float](repeating: 0, count: frameLength / 2)
    samples = [Float](repeating: 0, count: frameLength)
    block = [Float](repeating: 0, count: 2 * frameLength)
    zeros = [Float](repeating: 0, count: frameLength / 16)
  }

  /// The window shape at the end of the previous frame.
  var previousShape: WindowShape { shape }

  /// Resets the state that the previous frame left.
  mutating func reset() {
    slope = .long
    shape = .sine
    for n in 0..<terms.count { terms[n] = 0 }
  }

  /// Computes a frame of samples from `new`, the terms of its transform.
  mutating func add(
    _ new: [Float], window: WindowInfo, table: WindowTable, into output: inout [Float]
  ) {
    precondition(new.count == length && output.count >= length)
    if window.isShort {
      join(new, shape: window.shape, table: table)
      windowTail(table)
      output.replace(at: 0, by: block, count: length)
      unsafe Self.add(samples, length, to: &output)
      samples.replace(at: 0, by: block, from: length, count: length)
      slope = .windowed
    } else {
      let left = window.sequence.hasShortLeftSlope ? table.steep(shape) : table.long(shape)
      if slope == .windowed {
        unsafe Self.butterfly(
          high: new, low: nil, left: left, right: left, length, Offsets(high: length / 2),
          into: &output)
        unsafe Self.add(samples, length, to: &output)
      } else {
        let right = slope == .steep ? table.steep(shape) : table.long(shape)
        unsafe Self.butterfly(
          high: new, low: terms, left: left, right: right, length, Offsets(high: length / 2),
          into: &output)
      }
      terms.replace(at: 0, by: new, count: length / 2)
      slope = window.sequence.hasShortRightSlope ? .steep : .long
    }
    shape = window.shape
  }

  /// Writes the second half of the last frame as windowed samples, for long-term prediction.
  mutating func tail(_ table: WindowTable, into output: inout [Float]) {
    let before = slope
    windowTail(table)
    slope = before
    output.replace(at: 0, by: samples, count: length)
  }

  /// Converts stored terms to samples.
  private mutating func windowTail(_ table: WindowTable) {
    if slope == .windowed { return }
    let right = slope == .steep ? table.steep(shape) : table.long(shape)
    let half = length / 2
    for n in 0..<half {
      samples[n] = right[length - 1 - n] * -terms[half - 1 - n]
      samples[half + n] = right[half - 1 - n] * -terms[n]
    }
    slope = .windowed
  }

  /// Joins eight short windows into samples of this frame and the next.
  private mutating func join(_ new: [Float], shape: WindowShape, table: WindowTable) {
    let count = length / 8
    let flat = length / 2 - count / 2
    let rising = table.short(shape)
    for n in 0..<flat {
      block[n] = 0
      block[2 * length - 1 - n] = 0
    }
    for segment in 0...8 {
      let offsets = Offsets(
        high: segment == 8 ? 0 : segment * count + count / 2,
        low: segment == 0 ? 0 : (segment - 1) * count, output: flat + segment * count)
      unsafe Self.butterfly(
        high: segment == 8 ? zeros : new, low: segment == 0 ? zeros : new,
        left: segment == 0 ? table.short(self.shape) : rising, right: rising, count, offsets,
        into: &block)
    }
  }
}

extension OverlapAdd {
  /// The positions of the first high term, low term and sample.
  private struct Offsets {
    var high: Int
    var low = 0
    var output = 0
  }

  /// Joins `count` samples from high and low terms; if `low` is nil, the low terms are zeros.
  private static func butterfly(
    high: UnsafePointer<Float>, low: UnsafePointer<Float>?, left: UnsafePointer<Float>,
    right: UnsafePointer<Float>, _ count: Int, _ offsets: Offsets,
    into output: UnsafeMutablePointer<Float>
  ) {
    let half = count / 2
    let high = unsafe high + offsets.high
    let low = unsafe low.map { low in unsafe low + offsets.low }
    let output = unsafe output + offsets.output
    var n = 0
    while n < half {
      let a = unsafe high.lanes(n)
      let back = count &- 4 &- n
      let first = unsafe left.lanes(n) * a
      let last = unsafe left.lanes(back).mirrored * a
      if let low = unsafe low {
        let b = unsafe low.lanes(half &- 4 &- n).mirrored
        unsafe output.store(first - right.lanes(back).mirrored * b, n)
        unsafe output.store((Lanes.zero - last - right.lanes(n) * b).mirrored, back)
      } else {
        unsafe output.store(first, n)
        unsafe output.store((Lanes.zero - last).mirrored, back)
      }
      n &+= 4
    }
  }

  private static func add(
    _ a: UnsafePointer<Float>, _ count: Int, to output: UnsafeMutablePointer<Float>
  ) {
    var n = 0
    while n < count {
      unsafe output.store(output.lanes(n) + a.lanes(n), n)
      n &+= 4
    }
  }
}
