//! Encodes samples in memory to a stream with ADTS headers.

import Aacorn

// snippet.hide
// Two seconds of a tone, the same in both channels.
let samples: [Int16] = (0..<88_200).flatMap { time in
  let sample = Int16(abs(time % 200 - 100) * 200 - 10_000)
  return [sample, sample]
}
var bytes: [UInt8] = []
// snippet.show
var encoder = try AACEncoder(.init(sampleRate: 44_100, channelCount: 2))
var stream = try ADTSWriter(configuration: encoder.audioSpecificConfig)
encoder.encode(interleaved: samples)
_ = encoder.finish()
while let unit = encoder.nextAccessUnit() { try stream.append(unit, to: &bytes) }
// snippet.hide

print("\(samples.count / 2) samples a channel became \(bytes.count) bytes")
