import AacornCodec
import AacornContainers
import AacornRecording
import Testing

@testable import AacornCommands
@testable import AacornInspection

/// Descriptions of band replication and parametric stereo, as text and as JSON.
@Suite struct ReplicationFactsTests {
  /// 100 frames of a core at 24 kHz with 100 bytes each.
  private static var report: StreamReport {
    var report = StreamReport()
    report.configuration = AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: 24_000, channelConfiguration: 1)
    report.frameCount = 100
    report.sampleCount = 102_400
    report.payloadByteCount = 10_000
    report.replication.payloads = 100
    report.replication.headerFrames = 10
    report.replication.headerDistance = 12
    report.replication.channels = 100
    report.replication.fixFixChannels = 82
    report.replication.varVarChannels = 18
    report.replication.envelopes = 145
    report.replication.bits = 16_400
    return report
  }

  private static func text(_ report: StreamReport, _ label: String) throws -> String {
    try #require(ReplicationFacts(report)).facts.first { $0.0 == label }?.1 ?? ""
  }

  @Test func reportHasHumanReadableLines() throws {
    var report = Self.report
    report.replicatedFrequencies = 8250..<16_125
    #expect(
      try Self.text(report, "Replication")
        == "8.25 kHz to 16.125 kHz, headers at most 12 frames (512 ms) apart; "
        + "164.0 bits a frame, 3.8 kb/s, 20.5 % of all")
    #expect(
      try Self.text(report, "Grids") == "FIXFIX 82.0 %, VARVAR 18.0 %; 1.45 envelopes a frame")
    #expect(try Self.text(report, "Stereo").isEmpty)
    report.replication.pairs = 100
    report.replication.coupledPairs = 40
    report.replication.sinePayloads = 3
    #expect(
      try Self.text(report, "Grids").hasSuffix(
        "; coupled 40.0 % of pairs; sines 3.0 % of frames"))
  }

  @Test func unreadablePayloadsAreReported() throws {
    var report = Self.report
    report.replication.headerFrames = 1
    report.replication.unheadedPayloads = 4
    report.replication.damagedPayloads = 2
    #expect(
      try Self.text(report, "Replication").hasPrefix(
        "one header only, 4 of 100 payloads before any header, 2 of 100 payloads damaged; "))
    report.replication.headerFrames = 0
    report.replication.unheadedPayloads = 100
    report.replication.damagedPayloads = 0
    report.replication.channels = 0
    #expect(
      try Self.text(report, "Replication").hasPrefix(
        "no header, 100 of 100 payloads before any header; "))
    #expect(try Self.text(report, "Grids").isEmpty)
  }

  @Test func parametricStereoHasALine() throws {
    var report = Self.report
    report.replication.stereo.payloads = 100
    report.replication.stereo.levelBands = 20
    report.replication.stereo.coherenceBands = 20
    report.replication.stereo.envelopes = 140
    report.replication.stereo.bits = 8000
    #expect(
      try Self.text(report, "Stereo")
        == "parametric: 20 levels, 20 coherences, 1.40 envelopes a frame; "
        + "80.0 bits a frame, 1.9 kb/s, 10.0 % of all")
    report.replication.stereo.hasFineLevels = true
    report.replication.stereo.coherenceBands = 0
    report.replication.stereo.phasePayloads = 50
    report.replication.stereo.damagedPayloads = 1
    #expect(
      try Self.text(report, "Stereo").hasPrefix(
        "parametric: 20 fine levels, no coherences, phases 50.5 %, 1.41 envelopes a frame, "
          + "1 of 100 payloads damaged; "))
    report.replication.stereo.unheadedPayloads = 99
    #expect(
      try Self.text(report, "Stereo").hasPrefix(
        "parametric: 99 of 100 payloads before any header, 1 of 100 payloads damaged; "))
  }

  @Test func reportHasJSONObjects() {
    var report = Self.report
    let members = [
      #""payloads":100,"unheaded":0,"damaged":0,"headerFrames":10,"headerDistance":12"#,
      #""headerInterval":0.512000,"channels":100,"fixFix":82,"fixVar":0,"varFix":0"#,
      #""varVar":18,"envelopes":145,"pairs":0,"coupled":0,"sines":0,"bits":16400"#,
      #""bitsPerFrame":164.0,"share":0.2050"#,
    ]
    let json = report.object(sound: .null)
    #expect(json["replication"]?.encoded == "{" + members.joined(separator: ",") + "}")
    #expect(json["parametricStereo"]?.encoded == "null")
    report.replication.stereo.payloads = 100
    report.replication.stereo.levelBands = 34
    report.replication.stereo.bits = 8000
    let stereo = report.object(sound: .null)["parametricStereo"]
    let stereoMembers = [
      #""payloads":100,"unheaded":0,"damaged":0,"levelBands":34,"fineLevels":false"#,
      #""coherenceBands":0,"phases":0,"envelopes":0,"bits":8000,"bitsPerFrame":80.0"#,
      #""share":0.1000"#,
    ]
    #expect(stereo?.encoded == "{" + stereoMembers.joined(separator: ",") + "}")
  }

  @Test func streamsWithoutReplicationSayNothing() {
    var report = Self.report
    report.replication = ReplicationCounts()
    let isAbsent = ReplicationFacts(report) == nil
    #expect(isAbsent)
  }
}
