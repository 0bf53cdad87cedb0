//! Encodes one recording on several cores, with the same bytes as on one core.

import Aacorn

// snippet.hide
let configuration = AACEncoder.Configuration(sampleRate: 44_100, channelCount: 2)
let samples = [Float](repeating: 0.1, count: 2 * 1024 * 1200)
// snippet.show
var splitter = try SegmentSplitter(configuration)
splitter.encode(interleaved: samples)
var segments: [SegmentEncoder] = []
while let segment = splitter.nextSegment() { segments.append(segment) }
let trim = splitter.finish()
while let segment = splitter.nextSegment() { segments.append(segment) }

let parts = await withTaskGroup(of: (Int, [AccessUnit]).self) { group in
  for (index, segment) in segments.enumerated() {
    group.addTask {
      var segment = segment
      var units: [AccessUnit] = []
      while let unit = segment.nextAccessUnit() { units.append(unit) }
      return (index, units)
    }
  }
  var parts = [[AccessUnit]](repeating: [], count: segments.count)
  for await (index, units) in group { parts[index] = units }
  return parts
}
let units = parts.joined()
// snippet.hide
print("\(units.count) units for \(trim.sampleCount) samples")
