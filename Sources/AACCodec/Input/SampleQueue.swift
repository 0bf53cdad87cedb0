/// Samples of one channel that wait to be encoded, as floats in 16-bit scale.
///
///     samples   … used | one block of history | waiting …
///                      ^ head
struct SampleQueue: Sendable {
  private(set) var samples: [Float]
  /// First sample of the block to be transformed next.
  private(set) var head = 0

  /// Samples before `head` that are thrown away in one go, so that moving them costs little.
  private static let slack = 16_384

  /// A queue that begins with a frame of silence: what the first block overlaps.
  init() {
    samples = []
    samples.reserveCapacity(2 * Self.slack)
    samples.append(contentsOf: repeatElement(0, count: 1024))
  }

  /// Samples from the block's first on.
  var available: Int { samples.count - head }

  /// Makes room for `count` samples and returns where they begin.
  mutating func extend(by count: Int) -> Int {
    if head >= Self.slack {
      samples.removeFirst(head)
      head = 0
    }
    let start = samples.count
    samples.append(contentsOf: repeatElement(0, count: count))
    return start
  }

  /// Writes `count` samples at `start`, each made by `sample`.
  @inline(__always)
  mutating func fill(from start: Int, count: Int, _ sample: (Int) -> Float) {
    precondition(start >= 0 && start + count <= samples.count)
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      for i in 0..<count { unsafe buffer[start + i] = sample(i) }
    }
  }

  /// Writes one side of `count` interleaved 16-bit stereo frames at `start`.
  ///
  /// A frame is a 32-bit word with the left sample in its low half.
  mutating func fillStereo(
    from start: Int, count: Int, _ frames: UnsafeRawPointer, isRight: Bool
  ) {
    precondition(start >= 0 && start + count <= samples.count)
    let shift: Int32 = isRight ? 0 : 16
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      guard let output = buffer.baseAddress else { return }
      var n = 0
      while n + 4 <= count {
        let words = unsafe (frames + n * 4).loadUnaligned(as: SIMD4<Int32>.self)
        let values = (words &<< shift) &>> 16
        unsafe output.store(ElementaryFunctions.small(values), start + n)
        n &+= 4
      }
      while n < count {
        let word = unsafe (frames + n * 4).loadUnaligned(as: Int32.self)
        unsafe output[start + n] = Float((word &<< shift) &>> 16)
        n &+= 1
      }
    }
  }

  /// Moves on by one frame.
  mutating func advance() { head += 1024 }
}
