import AacornCodec
import AacornContainers
import TestSignals
import Testing

@testable import AacornInspection

@Suite struct BitrateChangeInspectionTests {
  @Test func aStreamThatChangesItsBitrateHasNoFault() throws {
    var encoder = try AACEncoder(
      AACEncoder.Configuration(
        sampleRate: 44_100, channelCount: 2, bitrate: 128_000, effort: .fast))
    var random = SeededNumbers(seed: 1)
    encoder.encode(interleaved: (0..<2 * 44_100 * 4).map { _ in Float(random.sample() * 0.3) })
    _ = encoder.finish()
    var writer = try ADTSWriter(configuration: encoder.audioSpecificConfig)
    var bytes: [UInt8] = []
    var levels: [Int64] = []
    while true {
      if levels.count == 50 { try encoder.setBitrate(64_000) }
      if levels.count == 100 { try encoder.setBitrate(192_000) }
      guard let unit = encoder.nextAccessUnit() else { break }
      levels.append(Int64(try #require(unit.reservoirBits)))
      try writer.append(unit, to: &bytes)
    }
    let (report, rows) = inspect(bytes)
    #expect(report.faults.count == 0 && report.unreadableFrameCount == 0)
    #expect(report.decoderBuffer.oversizedFrameCount == 0)
    #expect(report.fullness.levelCount == Int64(levels.count))
    #expect(report.fullness.variableRateCount == 0)
    #expect(report.fullness.minimum >= 0 && report.fullness.maximum <= 2 * 6144)
    // ADTS headers count the reservoir in units of 32 bits per channel.
    #expect(rows.map(\.reservoirBits) == levels.map { $0 / 64 * 64 })
    for (range, bitrate) in [(5..<50, 128_000), (55..<100, 64_000), (105..<150, 192_000)] {
      let bits = rows[range].reduce(0) { $0 + $1.byteCount * 8 }
      let rate = Double(bits) * 44_100 / Double(range.count * 1024)
      #expect(abs(rate / Double(bitrate) - 1) < 0.15, "\(rate) instead of \(bitrate)")
    }
  }
}
