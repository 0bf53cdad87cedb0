import AacornApple
import AacornCodec
import AacornContainers
import AacornSystem
import Testing

@testable import AacornRecording

/// A recording with an encoder from outside this package.
@Suite struct BackEndTests {
  private static let configuration = RecordingConfiguration(sampleRate: 48_000, channelCount: 2)

  private func makeStage(brokenUnit: Int? = nil) throws -> EncodeStage {
    try EncodeStage(Self.configuration) { _ throws(RecordingError) in
      ScriptedEncoder(brokenUnit: brokenUnit)
    }
  }

  private func packets(_ stage: inout EncodeStage) -> [EncodedPacket] {
    var packets: [EncodedPacket] = []
    while let packet = stage.nextPacket() { packets.append(packet) }
    return packets
  }

  private let silence = [Float](repeating: 0, count: 2 * 3200)

  @Test func aStagePassesOnWhatAnyEncoderMakes() throws {
    var stage = try makeStage()
    let encoder = ScriptedEncoder()
    #expect(stage.format == .aac(encoder.audioSpecificConfig, encoder.timing))
    #expect(stage.packetCount(for: 3200) == 5)
    for origin in [0, 3200] {
      try stage.begin(at: origin)
      stage.encode(silence.span)
      var found = packets(&stage)
      #expect(found.count == 3)
      stage.finish()
      found += packets(&stage)
      #expect(stage.trim == encoder.timing.trim(of: 3200))
      #expect(found.map(\.bytes) == [[0], [1], [2], [3], [4]])
      #expect(found.map(\.position) == (0..<5).map { origin + $0 * 1000 - 1500 })
    }
    #expect(stage.failure == nil)
  }

  @Test func aStageThatFailsKeepsWhatItHas() throws {
    var stage = try makeStage(brokenUnit: 2)
    stage.encode(silence.span)
    let kept = packets(&stage)
    #expect(kept.count == 2)
    #expect(stage.failure == .backEnd(ScriptedEncoder.failure))
    stage.encode(silence.span)
    #expect(stage.sampleCount == 3200)
    let further = packets(&stage)
    #expect(further.isEmpty)
    // The encoder produced two units of 1000 samples before the failure; the first 1500 samples are
    // priming.
    stage.finish()
    #expect(stage.trim == StreamTrim(priming: 1500, remainder: 0, sampleCount: 500))
    var other = try makeStage(brokenUnit: 0)
    other.encode(silence.span)
    let nothing = packets(&other)
    #expect(nothing.isEmpty)
    other.finish()
    #expect(other.trim == StreamTrim(priming: 0, remainder: 0, sampleCount: 0))
  }

  @Test func aStageThatFailsAtItsLastPacketHasNoMoreThanItMade() throws {
    var stage = try makeStage(brokenUnit: 4)
    stage.encode(silence.span)
    var kept = packets(&stage)
    #expect(kept.count == 3)
    stage.finish()
    #expect(stage.failure == nil)
    kept += packets(&stage)
    #expect(kept.count == 4 && stage.failure == .backEnd(ScriptedEncoder.failure))
    #expect(stage.trim == StreamTrim(priming: 1500, remainder: 0, sampleCount: 2500))
  }

  @Test(arguments: [2, 4])
  func aRecordingWhoseEncoderFailsEndsAndSaysWhy(brokenUnit: Int) throws {
    let sent = Lock<[EncodedPacket]>([])
    var pipeline = try RecordingPipeline(
      Self.configuration, followsClock: true, outputs: [], events: { _ in },
      packets: { packet in sent.withLock { $0.append(packet) } }, sound: nil
    ) { _ throws(RecordingError) in ScriptedEncoder(brokenUnit: brokenUnit) }
    pipeline.frames = silence
    let failure = RecordingError.backEnd(ScriptedEncoder.failure)
    if brokenUnit == 4 {
      // The last units are encoded at the end.
      try pipeline.encodeFrames()
      #expect(throws: failure) { try pipeline.finish(at: nil) }
      return
    }
    #expect(throws: failure) { try pipeline.encodeFrames() }
    #expect(pipeline.isDone)
    // `finish` reports no second error and sends no further packet.
    try pipeline.finish(at: nil)
    #expect(!pipeline.hasSegment)
    #expect(sent.withLock { $0.map(\.bytes) } == [[0], [1]])
  }

  @Test func aBitrateThatIsTakenHoldsInFurtherSegments() throws {
    let rates = Lock<[Int]>([])
    var stage = try EncodeStage(Self.configuration) { _ throws(RecordingError) in
      ScriptedEncoder(rates: rates)
    }
    stage.setBitrate(1000)
    stage.setBitrate(96_000)
    try stage.begin(at: 0)
    #expect(rates.withLock(\.self) == [1000, 96_000, 96_000])
  }

  @Test func withoutASystemEncoderTheRecordingDoesNotBegin() throws {
    var bench = Bench()
    bench.configuration = Self.configuration
    bench.configuration.backEnd = .system(.software)
    #expect(bench.configuration.adaptableBitrates() == nil)
    if !AACBackEnd.hasSystemEncoder {
      #expect(throws: RecordingError.backEnd(.noSystemEncoder)) { try bench.run() }
      // Uncompressed samples need no encoder.
      bench.configuration.coding = .int16
      #expect(try bench.run().summary.failure == nil)
    }
    let error = AACBackEndError.hardwareInUse
    #expect(RecordingError.backEnd(error).message == error.message)
  }

  @Test func theOwnEncoderIsTheDefault() throws {
    #expect(RecordingConfiguration().backEnd == .own)
    #expect(RecordingConfiguration(.music).backEnd == .own)
    let settings = try #require(Self.configuration.settings(Self.configuration.coding))
    var encoder = try AACBackEnd.own.makeEncoder(settings)
    #expect(encoder is AACEncoder)
    let bitrate = settings.rateControl.nominalBitrate
    let answers = [encoder.changeBitrate(to: .min), encoder.changeBitrate(to: bitrate)]
    #expect(answers == [false, true])
  }
}
