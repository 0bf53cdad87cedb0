import AacornCodec
import AacornContainers
import SimulatedApple
import SimulatedAudio

/// This package's encoder as the codec of a simulated converter, so that its packets can be
/// decoded.
final class OwnCodec: SimulatedCodec {
  let magicCookie: [UInt8]
  let leadingFrameCount: Int
  let largestPacketByteCount = 6144
  private var encoder: AACEncoder

  init(_ request: SimulatedCodecRequest) throws(EncoderError) {
    var configuration = AACEncoder.Configuration(
      sampleRate: request.sampleRate, channelCount: request.channelCount,
      rateControl: .constant(bitsPerSecond: request.bitrate))
    switch FourCharacterCode(rawValue: request.formatID) {
    case FourCharacterCode("a", "a", "c", "h"): configuration.profile = .highEfficiency
    case FourCharacterCode("a", "a", "c", "p"): configuration.profile = .highEfficiencyV2
    default: break
    }
    encoder = try AACEncoder(configuration)
    leadingFrameCount = encoder.timing.priming
    magicCookie = MagicCookie.bytes(of: encoder.audioSpecificConfig, bitrate: request.bitrate)
  }

  func take(_ samples: [Float]) { encoder.encode(interleaved: samples.span) }

  func end() { _ = encoder.finish() }

  func next() -> [UInt8]? { encoder.nextAccessUnit()?.bytes }

  /// Makes converters use this codec.
  static func install() {
    SimulatedConverters.maker = { request in
      do throws(EncoderError) {
        return try OwnCodec(request)
      } catch {
        preconditionFailure(error.message)
      }
    }
  }
}
