import AacornSignal

/// The samples of one channel that wait to be encoded, as floats in 16-bit scale.
///
///     samples   … used | history | waiting …
///                                ^ head
struct SampleQueue: Sendable {
  private(set) var samples: [Float]
  /// The first sample of the next block to be transformed.
  private(set) var head: Int
  /// The number of samples by which the head advances with every frame.
  let frameLength: Int
  /// The number of samples before the head that can be read.
  let lead: Int

  /// The value of `head` at which used samples are discarded.
  ///
  /// It is large, so that the remaining samples are rarely moved.
  private var discardThreshold: Int { max(16_384, 2 * history) }
  /// The number of samples before `head` that a segment can read.
  private var history: Int { frameLength * AACEncoder.maxLeadFrameCount + lead }

  /// Creates a queue with nothing but the silence before the head.
  init(frameLength: Int = 1024, lead: Int = 0) {
    self.frameLength = frameLength
    self.lead = lead
    head = lead
    samples = []
    samples.reserveCapacity(2 * discardThreshold)
    samples.append(contentsOf: repeatElement(0, count: lead))
  }

  /// The number of samples from the head on.
  var available: Int { samples.count - head }

  /// Appends `count` zeros to be overwritten, and returns their start index.
  mutating func appendZeros(count: Int) -> Int {
    if head >= discardThreshold {
      samples.removeFirst(head - history)
      head = history
    }
    let start = samples.count
    samples.append(contentsOf: repeatElement(0, count: count))
    return start
  }

  /// Writes `count` samples at `start`, each computed by `sample`.
  @inline(__always)
  mutating func fill(from start: Int, count: Int, _ sample: (Int) -> Float) {
    precondition(start >= 0 && start + count <= samples.count)
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      for i in 0..<count { unsafe buffer[start + i] = sample(i) }
    }
  }

  /// Writes `count` interleaved 16-bit stereo frames to two queues.
  ///
  /// The left samples start at `leftStart`, the right ones at `rightStart`. A frame is a 32-bit
  /// word with the left sample in its low half.
  static func fillStereo(
    _ left: inout SampleQueue, at leftStart: Int, _ right: inout SampleQueue, at rightStart: Int,
    count: Int, from frames: UnsafeRawPointer
  ) {
    precondition(leftStart >= 0 && leftStart + count <= left.samples.count)
    precondition(rightStart >= 0 && rightStart + count <= right.samples.count)
    unsafe split(
      frames, count: count, left: &left.samples, at: leftStart, right: &right.samples,
      at: rightStart)
  }

  private static func split(
    _ frames: UnsafeRawPointer, count: Int, left: UnsafeMutablePointer<Float>, at leftStart: Int,
    right: UnsafeMutablePointer<Float>, at rightStart: Int
  ) {
    var n = 0
    while n &+ 4 <= count {
      let words = unsafe (frames + n &* 4).loadUnaligned(as: SIMD4<Int32>.self)
      unsafe left.store(ElementaryFunctions.small((words &<< 16) &>> 16), leftStart &+ n)
      unsafe right.store(ElementaryFunctions.small(words &>> 16), rightStart &+ n)
      n &+= 4
    }
    while n < count {
      let word = unsafe (frames + n &* 4).loadUnaligned(as: Int32.self)
      unsafe left[leftStart &+ n] = Float((word &<< 16) &>> 16)
      unsafe right[rightStart &+ n] = Float(word &>> 16)
      n &+= 1
    }
  }

  /// Appends `count` of `values`, starting at index `first`.
  mutating func append(_ values: [Float], from first: Int = 0, count: Int) {
    let start = appendZeros(count: count)
    fill(from: start, count: count) { values[first + $0] }
  }

  /// Appends silence until `count` samples are available.
  mutating func fill(upTo count: Int) {
    if available < count { _ = appendZeros(count: count - available) }
  }

  /// Returns a separate queue with `count` samples from the head on.
  ///
  /// It begins `leadCount` frames before the head.
  ///
  /// Samples that have not arrived are silent.
  func segment(leadCount: Int, count: Int) -> SampleQueue {
    let start = head - frameLength * leadCount
    precondition(leadCount >= 0 && start >= lead)
    var part = SampleQueue(frameLength: frameLength, lead: lead)
    part.samples.removeAll(keepingCapacity: true)
    part.samples.append(contentsOf: samples[start - lead..<min(samples.count, head + count)])
    part.fill(upTo: count + frameLength * leadCount)
    return part
  }

  /// Returns this unused queue as it is at frame `index`, but without samples of the input.
  ///
  /// The next sample to append is number `first` of the input.
  func beginning(atFrame index: Int) -> (queue: SampleQueue, first: Int) {
    precondition(head == lead)
    let start = frameLength * index
    var queue = self
    queue.samples.removeFirst(min(start, samples.count))
    return (queue, max(0, start - samples.count))
  }

  mutating func advance(by frameCount: Int) { head += frameLength * frameCount }
}
