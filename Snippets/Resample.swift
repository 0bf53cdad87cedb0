//! Converts 5.1 audio at 96 kHz to stereo at 44.1 kHz.

import Aacorn

// snippet.hide
let blocks = [[Float]](repeating: [Float](repeating: 0.1, count: 6 * 1920), count: 50)
// snippet.show
let mixer = try ChannelMixer(from: 6, to: 2)
var resampler = try Resampler(from: 96_000, to: 44_100, channelCount: 2)
var stereo: [Float] = []
var samples: [Float] = []

for block in blocks {
  stereo.removeAll(keepingCapacity: true)
  mixer.mix(block, into: &stereo)
  resampler.process(stereo, into: &samples)
}
resampler.flush(into: &samples)
// snippet.hide

print("\(samples.count / 2) frames")
