import AacornCodec
import AacornRecording
import Testing

@testable import AacornStudio

/// The description of a frame for pages, derived from the encoder's statistics.
@Suite struct FrameReportTests {
  private static func packet(_ statistics: FrameStatistics?) -> EncodedPacket {
    var packet = EncodedPacket(bytes: [1, 2, 3], position: 0, sampleCount: 1024)
    packet.statistics = statistics
    return packet
  }

  @Test func aReportAddsUpTheChannels() throws {
    var (left, right) = (FrameStatistics.Channel(), FrameStatistics.Channel())
    left.windowSequence = .eightShort
    right.windowSequence = .longStop
    (left.noiseShapingFilterCount, right.noiseShapingFilterCount) = (1, 1)
    (left.noiseBandCount, right.noiseBandCount) = (3, 4)
    right.intensityBandCount = 5
    (left.lineCount, right.lineCount) = (512, 256)
    var statistics = FrameStatistics()
    statistics.channels = [left, right]
    (statistics.pairBandCount, statistics.midSideBandCount) = (40, 15)
    var packet = Self.packet(statistics)
    packet.reservoirBits = 900
    let report = try #require(FrameReport(packet, sampleRate: 48_000))
    #expect(report.numbers == [3, 2, 38, 2, 12_000, 900, 5, 7])
  }

  @Test func theLinesOfTheCoreReachHalfOfItsRate() throws {
    var statistics = FrameStatistics()
    statistics.channels = [FrameStatistics.Channel()]
    statistics.channels[0].lineCount = 512
    var packet = Self.packet(statistics)
    packet.sampleCount = 2048
    let report = try #require(FrameReport(packet, sampleRate: 48_000))
    #expect(report.bandwidth == 6000)
  }

  @Test func aSilentFrameOfOneChannelIsAFrame() throws {
    var statistics = FrameStatistics()
    statistics.channels = [FrameStatistics.Channel()]
    let report = try #require(FrameReport(Self.packet(statistics), sampleRate: 44_100))
    #expect(report.numbers == [3, 0, 0, 0, 0, -1, 0, 0])
  }

  @Test func packetWithoutStatisticsYieldsNil() {
    #expect(FrameReport(Self.packet(nil), sampleRate: 48_000) == nil)
    #expect(FrameReport(Self.packet(FrameStatistics()), sampleRate: 48_000) == nil)
  }
}
