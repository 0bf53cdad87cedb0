import AacornCodec
import AacornContainers

/// Encodes interleaved samples to a file; the units with the numbers in `damaged` are invalid.
func encodedFile(
  _ samples: [Float], _ format: CodedFileWriter.Format, _ encoding: AACEncoder.Configuration,
  isSeekable: Bool = true, damaging damaged: Set<Int> = []
) throws -> [UInt8] {
  var encoder = try AACEncoder(encoding)
  var configuration = CodedFileWriter.Configuration(format, stream: encoder.audioSpecificConfig)
  configuration.timing = encoder.timing
  configuration.isSeekable = isSeekable
  var writer = try CodedFileWriter(configuration)
  var bytes: [UInt8] = []
  encoder.encode(interleaved: samples)
  let trim = encoder.finish()
  var index = 0
  while var unit = encoder.nextAccessUnit() {
    if damaged.contains(index) { unit.bytes = [0x20, 0xFF, 0xFF, 0xFF, 0xFF] }
    try writer.append(unit, to: &bytes)
    index += 1
  }
  if let finish = try writer.finish(trim, to: &bytes) { try mp4Apply(finish, to: &bytes) }
  return bytes
}
