import AacornCodec
import AacornDevices
import AacornSignal
import Testing

@testable import AacornRecording

/// Extreme numbers in configurations cause errors, not traps.
@Suite struct ExtremeArgumentTests {
  private static let counts = [Int.min, -1, 0, 65, Int.max]

  @Test func impossibleFormsAreErrors() async {
    for rate in Self.counts {
      for count in Self.counts {
        for coding: RecordingConfiguration.Coding? in [nil, .int16, .float32] {
          var configuration = RecordingConfiguration(
            sampleRate: rate, channelCount: count, coding: coding)
          configuration.duration = .seconds(Int64(rate))
          #expect(configuration.adaptableBitrates(ofRendition: count) == nil)
          let recorder = Recorder(
            from: PushSource(sampleRate: rate, channelCount: count), to: [], configuration)
          await #expect(throws: RecordingError.self) { try await recorder.start() }
        }
        let codings = AACEncoder.Profile.allCases.map { profile in
          RecordingConfiguration.Coding.aac(
            rateControl: .average(bitsPerSecond: rate), effort: .best, profile: profile)
        }
        var configuration = RecordingConfiguration(coding: codings[0])
        configuration.furtherCodings = codings
        let recorder = Recorder(
          from: PushSource(sampleRate: 48_000, channelCount: 2), to: [], configuration)
        await #expect(throws: RecordingError.self) { try await recorder.start() }
        #expect(throws: EffectError.self) {
          try EffectChain([EffectDescription(.gain)], channelCount: min(count, 0), sampleRate: rate)
        }
      }
    }
  }

  @Test func extremeSettingsDoNotBreakRecording() throws {
    var bench = Bench()
    bench.frameCount = 4800
    for time in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero] {
      bench.configuration.duration = time
      #expect(try bench.run().samples.count == (time > .zero ? 9600 : 0))
    }
    bench.configuration.duration = nil
    for split in [
      RecordingConfiguration.Split.every(.seconds(Int64.max)), .every(.seconds(Int64.min)),
      .bytes(.max), .bytes(.min),
    ] {
      bench.configuration.split = split
      #expect(try bench.run().samples.count == 9600)
    }
    bench.configuration.split = .never
    for gain in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
      bench.configuration.gain = gain
      #expect(try bench.run().samples.count == 9600)
    }
    bench.configuration.gain = 1
    for map in [[Int.max], [Int.min], [0, Int.max], Array(repeating: 0, count: 65)] {
      bench.configuration.channelMap = map
      #expect(throws: (any Error).self) {
        let outcome = try bench.run()
        if let failure = outcome.summary.failure { throw failure }
      }
    }
  }

  @Test(arguments: FileFormat.allCases)
  func packetsWithImpossibleNumbersAreErrors(format: FileFormat) throws {
    let folder = try Folder()
    let segment = try Bench.segment(format)
    let packet = try #require(segment.packets.last)
    for number in [Int.min, Int.min + 1, -(1 << 53), 1 << 53, Int.max] {
      var start = segment.start
      var packets = [packet, packet, packet]
      start.position = number
      packets[0].position = number
      packets[1].sampleCount = number
      let gap = RecordingGap(position: number, length: number, cause: .paused, wallTime: .max)
      packets[2].gaps = [gap]
      var end = try #require(segment.end)
      end.sampleCount = number
      var output = FileOutput(folder.file("\(number).\(format.rawValue)"), format)
      try output.open()
      #expect(throws: OutputError.self) { try output.begin(start) }
      try output.begin(segment.start)
      for packet in packets {
        #expect(throws: OutputError.self) { try output.write(packet) }
      }
      #expect(throws: OutputError.self) { try output.record(gap) }
      try output.write(packet)
      #expect(throws: OutputError.self) { try output.end(end) }
      _ = output.abandon()
    }
  }

  /// These numbers are beyond any recording, but are accepted without an error.
  @Test(arguments: FileFormat.allCases)
  func extremeNumbersAreWritten(format: FileFormat) throws {
    let folder = try Folder()
    let segment = try Bench.segment(format)
    for number in [-(1 << 52), -1, 0, 1 << 52] {
      var start = segment.start
      start.position = number
      start.wallTime = number < 0 ? .min : .max
      var output = FileOutput(folder.file("\(number).\(format.rawValue)"), format)
      try output.open()
      try output.begin(start)
      for var packet in segment.packets {
        packet.position = number
        try? output.write(packet)
      }
      try output.record(
        RecordingGap(position: -number, length: 1 << 52, cause: .paused, wallTime: .min))
      _ = output.savedPosition
      var end = try #require(segment.end)
      end.trim.priming = number
      end.trim.sampleCount = -number
      _ = try? output.end(end)
      _ = output.abandon()
    }
  }
}
