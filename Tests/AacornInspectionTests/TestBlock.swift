import AacornCodec
import AacornContainers
import Testing

@testable import AacornInspection

/// A silent raw_data_block, assembled bit by bit.
struct TestBlock {
  /// The window sequences, one per channel; every channel is a single channel element.
  var sequences = [0]
  /// The announced number of bands; more than 49 is invalid.
  var bandCount = 0
  var hasNoise = false
  /// The number of bytes in a fill element; nil omits it.
  var fillCount: Int?
  var fillKind: UInt32 = 0
  var trailingCount = 0

  var bytes: [UInt8] {
    var writer = BitWriter()
    for (tag, sequence) in sequences.enumerated() {
      writer.put(0, count: 3)
      writer.put(UInt32(tag), count: 4)
      writer.put(100, count: 8)
      writer.put(UInt32(sequence), count: 3)
      writer.put(0, count: 1)
      if sequence == 2 {
        writer.put(UInt32(bandCount), count: 4)
        writer.put(0x7F, count: 7)
      } else {
        writer.put(UInt32(bandCount), count: 6)
        writer.put(0, count: 1)
      }
      if bandCount > 0 {
        // One section with all bands, and the energy of the first band.
        writer.put(hasNoise ? 13 : 0, count: 4)
        writer.put(UInt32(bandCount), count: 5)
        if hasNoise { writer.put(256, count: 9) }
      }
      writer.put(0, count: 3)
    }
    if let fillCount { putFill(fillCount, to: &writer) }
    writer.put(7, count: 3)
    return writer.bytes + [UInt8](repeating: 0, count: trailingCount)
  }

  private func putFill(_ count: Int, to writer: inout BitWriter) {
    var left = count
    repeat {
      let part = min(left, 269)
      writer.put(6, count: 3)
      writer.put(UInt32(min(part, 15)), count: 4)
      if part >= 15 { writer.put(UInt32(part - 14), count: 8) }
      for index in 0..<part { writer.put(index == 0 ? fillKind << 4 : 0, count: 8) }
      left -= part
    } while left > 0
  }

  /// Returns the block with its description for a container.
  func unit(reservoirBits: Int? = nil) throws -> AccessUnit {
    var reader = FrameReader(.testStream)
    try reader.read(bytes)
    return AccessUnit(
      bytes: bytes, reservoirBits: reservoirBits,
      protectedRegions: reader.block.protectedRegions)
  }
}

extension AudioSpecificConfig {
  /// Mono at 44.1 kHz.
  static let testStream = AudioSpecificConfig(
    objectType: .lowComplexity, sampleRate: 44_100, channelConfiguration: 1)
}

/// Returns the header of an ADIF stream: mono at 32 kHz.
func adifHeader() throws -> [UInt8] {
  let layout = try #require(ChannelConfiguration(rawValue: 1))
  let rate = try #require(SamplingFrequency(hertz: 32_000))
  var writer = BitWriter()
  for byte in "ADIF".utf8 { writer.put(UInt32(byte), count: 8) }
  // No copyright number, original, not home, variable rate, 64 kbit/s, one program.
  for (value, count) in [(0, 1), (1, 1), (0, 1), (1, 1), (64_000, 23), (0, 4)] {
    writer.put(UInt32(value), count: count)
  }
  ProgramConfig(layout, samplingFrequency: rate).write(to: &writer, origin: 0)
  return writer.bytes
}

/// Returns an ADTS stream of blocks, valid or not; the headers say "variable rate".
func adtsStream(
  _ blocks: [[UInt8]], configuration: AudioSpecificConfig = .testStream,
  version: ADTSHeader.Version = .mpeg4
) throws -> [UInt8] {
  var writer = try ADTSWriter(configuration: configuration, version: version)
  var bytes: [UInt8] = []
  for block in blocks { try writer.append(AccessUnit(bytes: block), to: &bytes) }
  return bytes
}

/// Inspects these bytes in chunks of this size, and returns all results.
func inspect(_ bytes: [UInt8], chunk: Int = .max) -> (report: StreamReport, rows: [FrameRow]) {
  var inspector = StreamInspector()
  var rows: [FrameRow] = []
  var start = 0
  while start < bytes.count {
    let end = start + min(chunk, bytes.count - start)
    inspector.append(Array(bytes[start..<end]))
    while let row = inspector.next() { rows.append(row) }
    start = end
  }
  inspector.finish()
  while let row = inspector.next() { rows.append(row) }
  return (inspector.report, rows)
}

extension StreamReport {
  var faultKinds: [StreamFault.Kind] { faults.first.map(\.kind) }
}
