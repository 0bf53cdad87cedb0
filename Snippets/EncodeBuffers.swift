//! Encodes audio block by block as it arrives, with reused storage.

import Aacorn

// snippet.hide
let blocks = [[Float]](repeating: [Float](repeating: 0.1, count: 960), count: 100)
var sentByteCount = 0
@MainActor func send(_ bytes: [UInt8]) { sentByteCount += bytes.count }
// snippet.show
var encoder = try AACEncoder(
  .init(sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: 160_000)))
var stream = try ADTSWriter(configuration: encoder.audioSpecificConfig)
var unit = AccessUnit()
var bytes: [UInt8] = []

for block in blocks {
  encoder.encode(interleaved: block)
  // A block may complete no unit, one or several.
  while encoder.nextAccessUnit(into: &unit) {
    bytes.removeAll(keepingCapacity: true)
    try stream.append(unit, to: &bytes)
    send(bytes)
  }
}

// The encoder still contains the end of the audio.
let trim = encoder.finish()
while encoder.nextAccessUnit(into: &unit) {
  bytes.removeAll(keepingCapacity: true)
  try stream.append(unit, to: &bytes)
  send(bytes)
}
// A decoder plays trim.priming samples before the audio and trim.remainder after it.
// snippet.hide

print("\(stream.frameCount) frames, \(sentByteCount) bytes")
print("\(trim.priming) samples before the sound, \(trim.remainder) after it")
