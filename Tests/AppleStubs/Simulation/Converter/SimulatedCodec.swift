/// What a codec is made for, once a converter has been told everything.
package struct SimulatedCodecRequest: Sendable, Equatable {
  package var formatID: UInt32
  package var sampleRate: Int
  package var channelCount: Int
  package var framesPerPacket: Int
  /// 0 for constant, 1 for average, 2 for constrained, 3 for variable.
  package var rateControl: UInt32
  /// Bits per second; of no meaning if the rate varies.
  package var bitrate: Int
  /// Up to 127.
  package var quality: UInt32
  /// Up to 127, if the rate varies.
  package var variableQuality: UInt32
}

/// What makes packets behind a simulated converter; a test may bring its own.
package protocol SimulatedCodec: AnyObject {
  /// What a decoder must know.
  var magicCookie: [UInt8] { get }
  /// Frames that come before the sound.
  var leadingFrameCount: Int { get }
  /// The bytes of the largest packet.
  var largestPacketByteCount: Int { get }
  /// Takes interleaved samples of whole frames.
  func take(_ samples: [Float])
  /// Told once that nothing follows.
  func end()
  /// The next packet; nil until more comes, or for good once it has ended.
  func next() -> [UInt8]?
}

/// A codec whose packets tell their numbers and are not sound: what there is if a test brings no codec.
package final class CountingCodec: SimulatedCodec {
  package let magicCookie: [UInt8]
  package let leadingFrameCount: Int
  package let largestPacketByteCount = 768
  private let channelCount: Int
  private let framesPerPacket: Int
  private var frameCount = 0
  private var packetCount = 0
  private var hasEnded = false

  package init(_ request: SimulatedCodecRequest, magicCookie: [UInt8], leadingFrameCount: Int) {
    self.magicCookie = magicCookie
    self.leadingFrameCount = leadingFrameCount
    channelCount = request.channelCount
    framesPerPacket = request.framesPerPacket
  }

  package func take(_ samples: [Float]) { frameCount += samples.count / channelCount }

  package func end() { hasEnded = true }

  package func next() -> [UInt8]? {
    let reached = packetCount * framesPerPacket
    let isDue =
      hasEnded
      ? frameCount > 0 && reached < frameCount + leadingFrameCount
      : reached + framesPerPacket <= frameCount
    guard isDue else { return nil }
    packetCount += 1
    return [UInt8(truncatingIfNeeded: packetCount - 1), 0xAA]
  }
}
