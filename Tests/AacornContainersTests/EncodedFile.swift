import AacornCodec
import AacornContainers
import Testing

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

struct DecodedFile {
  var samples: [Float] = []
  var formats: [CodedAudioReader.Step] = []
  var concealed: [Int] = []
  var damageCount = 0
  var announced: Int?

  init(
    _ file: [UInt8], isTrimmed: Bool = true, isPipe: Bool = false, from frame: Int? = nil
  ) throws {
    var options = CodedAudioReader.Options()
    options.isTrimmed = isTrimmed
    var reader = CodedAudioReader(byteCount: isPipe ? nil : UInt64(file.count), options: options)
    var width = 0
    while true {
      let step = try reader.step()
      switch step {
      case .need(let offset, let count):
        let start = min(Int(offset), file.count)
        reader.supply(Array(file[start..<min(start + count, file.count)]))
      case .format(_, let channelCount, _):
        width = channelCount
        formats.append(step)
        announced = reader.frameCount
        if let frame {
          let hasMoved = reader.seek(toFrame: frame)
          #expect(hasMoved)
        }
      case .samples(let count):
        #expect(reader.samples.count == width * count)
        samples += reader.samples
      case .concealed(let position): concealed.append(position)
      case .damage: damageCount += 1
      case .end: return
      }
    }
  }
}
