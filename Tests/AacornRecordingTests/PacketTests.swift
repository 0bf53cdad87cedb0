import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import Simulation
import Testing

@Suite(.simulated(seeds: 4, with: .all)) struct PacketTests {
  /// The units of a bench's recording, directly from the encoder.
  private static func units(of bench: Bench, collectsStatistics: Bool) throws -> [AccessUnit] {
    var encoder = try AACEncoder(
      AACEncoder.Configuration(sampleRate: 48_000, channelCount: 2))
    encoder.collectsStatistics = collectsStatistics
    encoder.encode(interleaved: counterSamples(frames: bench.frameCount).span)
    _ = encoder.finish()
    var units: [AccessUnit] = []
    while var unit = encoder.nextAccessUnit() {
      // Recordings do not need the protected regions.
      unit.protectedRegions = []
      units.append(unit)
    }
    return units
  }

  @Test(arguments: [false, true])
  func packetsMatchEncoderOutput(collectsStatistics: Bool) throws {
    var bench = Bench()
    bench.configuration = RecordingConfiguration(sampleRate: 48_000, channelCount: 2)
    bench.configuration.collectsStatistics = collectsStatistics
    let packets = try bench.run().packets
    #expect(
      packets.map(\.accessUnit)
        == (try Self.units(of: bench, collectsStatistics: collectsStatistics)))
    #expect(packets.allSatisfy { ($0.statistics != nil) == collectsStatistics })
  }

  @Test func samplesHaveNoStatistics() throws {
    var bench = Bench()
    bench.configuration.collectsStatistics = true
    let packets = try bench.run().packets
    #expect(!packets.isEmpty && packets.allSatisfy { $0.statistics == nil })
  }
}
