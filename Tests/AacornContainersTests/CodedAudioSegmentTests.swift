import AacornCodec
import AacornSignal
import TestSignals
import Testing

@testable import AacornContainers

/// Decoding a file's segments separately results in the same events as decoding it in one run.
@Suite struct CodedAudioSegmentTests {
  private static let frameCount = 16_000

  private static func sound(_ channelCount: Int) -> [Float] {
    var random = SeededNumbers(seed: 5)
    return (0..<frameCount).flatMap { frame -> [Float] in
      let phase = Float(frame % 100) / 100
      let tone = (phase < 0.5 ? phase : 1 - phase) - 0.25
      return (0..<channelCount).map { channel in
        tone / Float(channel + 1) + Float(random.sample() + 1) / 8
      }
    }
  }

  private func file(
    _ format: CodedFileWriter.Format, channels: Int = 2, rate: Int = 44_100,
    bitrate: Int? = nil, damaging damaged: Set<Int> = []
  ) throws -> [UInt8] {
    try encodedFile(
      Self.sound(channels), format,
      .init(sampleRate: rate, channelCount: channels, bitrate: bitrate ?? 32_000 * channels),
      damaging: damaged)
  }

  private struct Events {
    var steps: [CodedAudioReader.Step] = []
    var samples: [UInt32] = []
    var formatCount = 0
    var concealedCount = 0
    var damageCount = 0
    /// The number of audible units that were decoded in advance, in segments.
    var aheadCount = 0
    var unitCount = 0
    /// The maximum number of segments being decoded at the same time.
    var maxSegmentCount = 0

    /// Reads a file, in segments if they have a length; `seek` is the first frame.
    init(
      _ file: [UInt8], segmentLength: Int?, isTrimmed: Bool = true, seek: Int? = nil,
      until end: Int? = nil
    ) throws {
      var options = CodedAudioReader.Options()
      options.isTrimmed = isTrimmed
      var reader = CodedAudioReader(byteCount: UInt64(file.count), options: options)
      var segments: [DecodedSegment] = []
      var isSplit = false
      func bytes(_ offset: UInt64, _ count: Int) -> [UInt8] {
        let start = min(Int(offset), file.count)
        return Array(file[start..<min(start + count, file.count)])
      }
      while true {
        reading: while isSplit && segments.count < 3 {
          switch try reader.readAhead() {
          case .need(let offset, let count): reader.supply(bytes(offset, count))
          case .segment(var segment): segments.append(segment.decode())
          case .end: break reading
          }
        }
        maxSegmentCount = max(maxSegmentCount, segments.count)
        if reader.awaitsSegment {
          try #require(!segments.isEmpty)
          reader.accept(segments.removeFirst())
        }
        guard let step = try reader.advance() else { continue }
        switch step {
        case .need(let offset, let count): reader.supply(bytes(offset, count))
        case .samples:
          steps.append(step)
          samples += reader.samples.map(\.bitPattern)
          unitCount += 1
          if reader.ahead?.hasSamples == true { aheadCount += 1 }
        case .format:
          steps.append(step)
          formatCount += 1
          if isSplit { break }
          if let seek {
            let hasMoved = reader.seek(toFrame: seek)
            #expect(hasMoved)
          }
          guard let segmentLength else { break }
          isSplit = reader.beginSplitting(untilFrame: end, segmentLength: segmentLength)
        case .concealed:
          steps.append(step)
          concealedCount += 1
        case .damage:
          steps.append(step)
          damageCount += 1
        case .end:
          #expect(segments.isEmpty)
          return
        }
      }
    }
  }

  private func expectEqual(_ parts: Events, _ whole: Events) {
    #expect(parts.steps == whole.steps)
    #expect(parts.samples == whole.samples)
  }

  @Test(arguments: [1, 2, 6], [1, 3, 100])
  func segmentedReadingYieldsSameAudio(channels: Int, length: Int) throws {
    for format in [CodedFileWriter.Format.m4a, .adts(), .latm] {
      let file = try file(format, channels: channels)
      let whole = try Events(file, segmentLength: nil)
      let parts = try Events(file, segmentLength: length)
      expectEqual(parts, whole)
      // All units are decoded in advance except the first one, which determines the format.
      #expect(parts.aheadCount >= parts.unitCount - 1)
      #expect(whole.aheadCount == 0)
      #expect(parts.maxSegmentCount == (length == 100 ? 1 : 3))
    }
  }

  @Test(arguments: [false, true])
  func damageInAnyUnitChangesNothing(isMovie: Bool) throws {
    for damaged in 0..<16 {
      let pair: Set<Int> = damaged % 2 == 0 ? [damaged] : [damaged, damaged + 1]
      let file = try file(isMovie ? .m4a : .adts(), damaging: pair)
      let whole = try Events(file, segmentLength: nil)
      let parts = try Events(file, segmentLength: 4)
      expectEqual(parts, whole)
      #expect(parts.aheadCount > 4)
      // The first units may be trimmed, and then their concealment is not reported.
      #expect(damaged < 3 || whole.concealedCount > 0)
    }
  }

  @Test(arguments: [0, 5000, 12_345])
  func aPartBeginsAndEndsWithTheSameSample(frame: Int) throws {
    let file = try file(.m4a)
    let whole = try Events(file, segmentLength: nil, seek: frame)
    for end in [nil, frame, frame + 1, frame + 4000, 1_000_000] {
      expectEqual(try Events(file, segmentLength: 3, seek: frame, until: end), whole)
    }
    let untrimmed = try Events(file, segmentLength: nil, isTrimmed: false)
    let parts = try Events(file, segmentLength: 3, isTrimmed: false)
    expectEqual(parts, untrimmed)
    #expect(parts.aheadCount > 4)
  }

  @Test func readerStopsShortlyAfterEnd() throws {
    let file = try file(.m4a)
    let parts = try Events(file, segmentLength: 2, until: 4000)
    #expect((2...8).contains(parts.aheadCount))
  }

  @Test func anotherFormatInTheMiddleEndsTheSegments() throws {
    let file = try file(.adts()) + file(.adts(), channels: 1, rate: 24_000) + file(.adts())
    let whole = try Events(file, segmentLength: nil)
    #expect(whole.formatCount == 3)
    let parts = try Events(file, segmentLength: 3)
    expectEqual(parts, whole)
    #expect(parts.aheadCount > 8 && parts.aheadCount < parts.unitCount)
  }

  @Test func segmentedReaderReportsDamage() throws {
    var file = try file(.adts(), bitrate: 256_000)
    file.replaceSubrange(3000..<4500, with: repeatElement(0x55, count: 1500))
    let whole = try Events(file, segmentLength: nil)
    #expect(whole.damageCount > 0)
    let parts = try Events(file, segmentLength: 2)
    expectEqual(parts, whole)
    #expect(parts.aheadCount > 4)
  }
}
