//! Encodes with the settings of a preset, from an array for each channel.

import Aacorn

// snippet.hide
let left = [Float](repeating: 0.1, count: 48_000)
let right = [Float](repeating: -0.1, count: 48_000)
// snippet.show
var encoder = try AACEncoder(.fineMusic)
encoder.encode(planar: [left, right])
_ = encoder.finish()
var byteCount = 0
while let unit = encoder.nextAccessUnit() { byteCount += unit.bytes.count }
// snippet.hide

print("\(byteCount) bytes at \(AACEncoder.Preset.fineMusic.configuration.rateControl)")
