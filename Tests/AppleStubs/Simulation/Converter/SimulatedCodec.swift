/// The settings of a codec, known once the converter has all its properties.
package struct SimulatedCodecRequest: Sendable, Equatable {
  package var formatID: UInt32
  package var sampleRate: Int
  package var channelCount: Int
  package var framesPerPacket: Int
  /// 0 for constant, 1 for average, 2 for constrained, 3 for variable.
  package var rateControl: UInt32
  /// In bits per second; meaningless if the rate varies.
  package var bitrate: Int
  /// From 0 to 127.
  package var quality: UInt32
  /// From 0 to 127; used if the rate varies.
  package var variableQuality: UInt32
}

/// The encoder of a simulated converter; a test may provide its own.
package protocol SimulatedCodec: AnyObject {
  /// The configuration for a decoder.
  var magicCookie: [UInt8] { get }
  /// The number of priming frames.
  var leadingFrameCount: Int { get }
  /// The maximum size of a packet in bytes.
  var largestPacketByteCount: Int { get }
  /// Appends interleaved samples of whole frames.
  func take(_ samples: [Float])
  /// Ends the input; called once.
  func end()
  /// Returns the next packet, or nil if the codec needs more input or has finished.
  func next() -> [UInt8]?
}

/// The default codec, whose packets contain their index instead of coded audio.
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
