import AacornCodec
import AacornContainers

// Encodes a second of silence, packs it, and reads it again.
var encoder = try AACEncoder(.init(sampleRate: 48_000, channelCount: 2))
encoder.encode(interleaved: [Int16](repeating: 0, count: 96_000).span)
_ = encoder.finish()
var writer = try ADTSWriter(configuration: encoder.audioSpecificConfig)
var stream: [UInt8] = []
var unitCount = 0
while let unit = encoder.nextAccessUnit() {
  try writer.append(unit, to: &stream)
  unitCount += 1
}

var reader = ADTSReader()
reader.append(stream)
reader.finish()
var frameCount = 0
while let event = reader.next() {
  guard case .frame = event else { fatalError("There is something in the stream but frames.") }
  frameCount += 1
}
guard unitCount > 46 && frameCount == unitCount else {
  fatalError("Of \(unitCount) units \(frameCount) came back.")
}
print("The codec alone: \(frameCount) frames, \(stream.count) bytes")
