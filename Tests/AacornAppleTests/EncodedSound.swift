import AacornCodec
import TestSignals

/// The access units of a sound, and what a decoder needs.
struct EncodedSound {
  let units: [AccessUnit]
  let trim: StreamTrim
  let config: AudioSpecificConfig
}

/// Encodes interleaved samples.
func encoded(
  _ samples: [Float], _ configuration: AACEncoder.Configuration
) throws -> EncodedSound {
  var encoder = try AACEncoder(configuration)
  encoder.encode(interleaved: samples)
  let trim = encoder.finish()
  var units: [AccessUnit] = []
  while let unit = encoder.nextAccessUnit() { units.append(unit) }
  return EncodedSound(units: units, trim: trim, config: encoder.audioSpecificConfig)
}

/// Returns interleaved music in stereo.
func interleavedMusic(_ frameCount: Int) -> [Float] {
  let channels = Sound.music(frames: frameCount, rate: 44_100, channels: 2).channels
  return (0..<frameCount).flatMap { [channels[0][$0], channels[1][$0]] }
}
