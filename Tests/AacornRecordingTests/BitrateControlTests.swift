import AacornCodec
import AacornDevices
import AacornRecording
import Simulation
import Testing

@Suite(.simulated(seeds: 4, with: .all)) struct BitrateControlTests {
  private static func rate(_ sizes: some Collection<Int>) -> Double {
    Double(sizes.reduce(0, +) * 8) * 48_000 / Double(1024 * max(1, sizes.count))
  }

  @Test func bitrateChangeAppliesToFollowingPackets() throws {
    let run = try FedRecording(RecordingConfiguration(bitrate: 128_000))
    func deliver() { for _ in 0..<20 { run.deliver(9600) } }
    deliver()
    #expect(run.session.setBitrate(48_000))
    deliver()
    run.session.startNewSegment()
    deliver()
    _ = try run.stop()
    let parts = (0..<2).map { segment in
      run.log.packets.filter { $0.segment == segment }.map(\.bytes.count)
    }
    // The first segment has about 187 packets at each bitrate; the packets near the change are not
    // measured.
    #expect(abs(Self.rate(parts[0].prefix(180)) / 128_000 - 1) < 0.06)
    #expect(abs(Self.rate(parts[0].suffix(150)) / 48_000 - 1) < 0.12)
    #expect(abs(Self.rate(parts[1]) / 48_000 - 1) < 0.12)
  }

  @Test func setBitrateRejectsUnsupportedValues() throws {
    let session = RecordingSession(RecordingConfiguration(bitrate: 128_000))
    #expect(session.setBitrate(96_000))
    #expect(!session.setBitrate(1000))
    #expect(!session.setBitrate(96_000, ofRendition: 1))
    #expect(!session.setBitrate(96_000, ofRendition: -1))
    let samples = RecordingSession(RecordingConfiguration(coding: .int16))
    #expect(!samples.setBitrate(96_000))
    let variable = RecordingConfiguration(
      coding: .aac(rateControl: .variable(level: 3), effort: .balanced))
    #expect(variable.adaptableBitrates() == nil)
    #expect(!RecordingSession(variable).setBitrate(96_000))
    var further = RecordingConfiguration(bitrate: 128_000)
    further.furtherCodings = [
      .aac(
        rateControl: .constant(bitsPerSecond: 48_000), effort: .balanced, profile: .highEfficiency)
    ]
    #expect(further.adaptableBitrates(ofRendition: 1) == 32_000...72_000)
    #expect(RecordingSession(further).setBitrate(64_000, ofRendition: 1))
    #expect(!RecordingSession(further).setBitrate(128_000, ofRendition: 1))
  }
}
