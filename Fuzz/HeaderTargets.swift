import AacornCodec
import AacornContainers

func fuzzConfiguration(_ bytes: [UInt8]) {
  guard let configuration = AudioSpecificConfig(parsing: bytes) else { return }
  _ = configuration.profile
  _ = configuration.channelCount
  // The parser skips some fields of other object types, so a copy lacks them.
  guard (1...4).contains(configuration.objectType.rawValue) else { return }
  let copy = AudioSpecificConfig(parsing: configuration.bytes)
  require(copy == configuration, "\(configuration) came back as \(String(describing: copy))")
}

func fuzzADIF(_ bytes: [UInt8]) {
  // Most inputs would fail at the first four bytes, so insert them.
  let bytes = ADIFHeader.isPresent(in: bytes) ? bytes : [0x41, 0x44, 0x49, 0x46] + bytes
  guard let header = ADIFHeader(parsing: bytes) else { return }
  require(header.byteCount <= bytes.count, "the header is longer than the file")
  require(!header.programs.isEmpty, "a header without programs")
  _ = header.audioSpecificConfig.bytes
}

func fuzzAccessUnit(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  let choice = input.byte()
  let frequency = SamplingFrequency(index: input.choice(13))
  var configuration = AudioSpecificConfig(
    objectType: AudioObjectType(rawValue: choice & 0x80 == 0 ? 2 : 1 + choice & 3),
    sampleRate: frequency?.hertz ?? 44_100, channelConfiguration: Int(choice >> 4 & 7))
  if choice & 8 != 0 { configuration.frameLength = 960 }
  let unit = input.rest

  var reader = FrameReader(configuration, keepsSpectrum: choice & 4 != 0)
  let first = parse(unit, with: &reader)
  let firstBlock = reader.block
  if first == nil {
    require(firstBlock.byteCount <= unit.count, "the block is longer than the unit")
  }
  for region in firstBlock.protectedRegions {
    require(region.start >= 0 && region.count >= 0, "a region of negative length")
    require(region.start + region.count <= unit.count * 8, "a region outside the unit")
  }
  // The reader reuses only storage: earlier units must not affect the result.
  _ = parse(unit.reversed(), with: &reader)
  require(parse(unit, with: &reader) == first, "the error depends on the previous unit")
  require(reader.block.elements == firstBlock.elements, "elements depend on the previous unit")
  require(
    reader.block.extensions == firstBlock.extensions, "extensions depend on the previous unit")
  require(
    reader.block.channels == firstBlock.channels, "channels depend on the previous unit")
}

private func parse(_ unit: [UInt8], with reader: inout FrameReader) -> ParseError? {
  do throws(ParseError) {
    try reader.read(unit)
    return nil
  } catch {
    return error
  }
}
