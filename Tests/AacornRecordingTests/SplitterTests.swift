import TestSignals
import Testing

@testable import AacornRecording

@Suite struct SplitterTests {
  private static let rate = 1000

  private static func configuration(
    _ split: RecordingConfiguration.Split, rate: Int = rate, channelCount: Int = 1
  ) -> RecordingConfiguration {
    var configuration = RecordingConfiguration(
      sampleRate: rate, channelCount: channelCount, coding: .float32)
    configuration.split = split
    return configuration
  }

  /// The start positions of files when samples arrive in pieces of these lengths, as in a
  /// recording.
  ///
  /// A frame has `frameBytes` bytes in a file.
  private static func beginnings(
    _ configuration: RecordingConfiguration, _ samples: [Float], pieces: [Int],
    frameBytes: Int = 1
  ) -> [Int] {
    var splitter = Splitter(configuration)
    var beginnings = [0]
    let channelCount = configuration.channelCount
    var (position, begin, piece) = (0, 0, 0)
    let total = samples.count / channelCount
    while position < total {
      let end = min(total, position + pieces[piece % pieces.count])
      piece += 1
      while position < end {
        let rest = samples.span.extracting(position * channelCount..<end * channelCount)
        let cut = splitter.cut(
          rest, sampleCount: position - begin, byteCount: (position - begin) * frameBytes)
        guard let cut else {
          position = end
          break
        }
        position += cut
        begin = position
        beginnings.append(begin)
      }
    }
    return beginnings
  }

  private static let pieces: [[Int]] = [
    [1], [7], [480], [333, 1, 64], [999], [1000], [1001], [1_000_000],
  ]

  @Test(arguments: pieces)
  func filesOfATimeAreCutAtTheSample(pieces: [Int]) {
    for (milliseconds, length) in [(1, 1), (333, 333), (1000, 1000), (2500, 2500)] {
      let samples = [Float](repeating: 0.1, count: 2 * 7000)
      let beginnings = Self.beginnings(
        Self.configuration(.every(.milliseconds(milliseconds)), channelCount: 2), samples,
        pieces: pieces)
      #expect(beginnings == Array(stride(from: 0, to: 7000, by: length)))
    }
  }

  @Test func aTimeIsCountedInWholeSamplesOfTheRate() {
    for (rate, milliseconds, length) in [
      (44_100, 1000, 44_100), (44_100, 333, 14_685), (48_000, 1, 48), (8000, 0, 1),
      (96_000, 3_600_000, 345_600_000),
    ] {
      let splitter = Splitter(Self.configuration(.every(.milliseconds(milliseconds)), rate: rate))
      #expect(splitter.segmentLength == length)
      #expect(splitter.isActive)
    }
    for split in [RecordingConfiguration.Split.bytes(1), .onSilence, .never] {
      let splitter = Splitter(Self.configuration(split))
      #expect(splitter.segmentLength == nil)
      #expect(splitter.isActive == (split != .never))
    }
  }

  /// A recording of exactly the split length is not followed by an empty file.
  @Test func theLastFileHasAtLeastOneSample() {
    for count in [1999, 2000, 2001] {
      let beginnings = Self.beginnings(
        Self.configuration(.every(.milliseconds(1000))), [Float](repeating: 0, count: count),
        pieces: [250])
      #expect(beginnings == (count > 2000 ? [0, 1000, 2000] : [0, 1000]))
    }
  }

  @Test(arguments: [1, 10, 480, 5000])
  func filesOfASizeAreCutBeforeTheNextPiece(piece: Int) {
    let samples = [Float](repeating: 0.1, count: 20_000)
    let limit = 3000
    let beginnings = Self.beginnings(
      Self.configuration(.bytes(limit)), samples, pieces: [piece], frameBytes: 4)
    // A file contains whole pieces until it reaches the limit, but at least one piece.
    let frames = (limit / 4 + piece - 1) / piece * piece
    #expect(beginnings == Array(stride(from: 0, to: 20_000, by: frames)))
  }

  @Test func aFileThatIsTooSmallForAnythingStillGetsSamples() {
    var splitter = Splitter(Self.configuration(.bytes(10)))
    let samples = [Float](repeating: 0, count: 8)
    #expect(splitter.cut(samples.span, sampleCount: 0, byteCount: 32_768) == nil)
    #expect(splitter.cut(samples.span, sampleCount: 8, byteCount: 9) == nil)
    #expect(splitter.cut(samples.span, sampleCount: 8, byteCount: 10) == 0)
  }

  @Test func splitterWithoutRuleDoesNotCut() {
    var splitter = Splitter(Self.configuration(.never))
    let samples = [Float](repeating: 0, count: 10_000)
    #expect(splitter.cut(samples.span, sampleCount: .max, byteCount: .max) == nil)
  }

  /// The frames at which two seconds of silence have followed sound.
  private static func silences(_ samples: [Float], channelCount: Int) -> [Int] {
    let isLoud = stride(from: 0, to: samples.count, by: channelCount).map { start in
      samples[start..<start + channelCount].contains { abs($0) >= 0.003162 }
    }
    var beginnings = [0]
    var (silentCount, hasSound) = (0, false)
    for frame in isLoud.indices {
      silentCount = isLoud[frame] ? 0 : silentCount + 1
      hasSound = hasSound || isLoud[frame]
      if hasSound && silentCount == 2 * rate {
        beginnings.append(frame)
        hasSound = false
      }
    }
    return beginnings
  }

  private static func talk(seed: UInt64, channelCount: Int) -> [Float] {
    var dice = SeededNumbers(seed: seed)
    var samples: [Float] = []
    for index in 0..<24 {
      let count = Int.random(in: 1...(index % 3 == 0 ? 5000 : 2400), using: &dice)
      for _ in 0..<count {
        for channel in 0..<channelCount {
          let isLoud = index % 2 == 0 && channel == index / 2 % channelCount
          samples.append(isLoud ? (Bool.random(using: &dice) ? 0.0032 : -0.0032) : 0.0031)
        }
      }
    }
    return samples
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>, [1, 2, 3])
  func everySilenceAfterSoundIsCutOnce(seed: UInt64, channelCount: Int) {
    let samples = Self.talk(seed: seed, channelCount: channelCount)
    let expected = Self.silences(samples, channelCount: channelCount)
    #expect(expected.count > 1)
    for pieces in Self.pieces {
      let found = Self.beginnings(
        Self.configuration(.onSilence, channelCount: channelCount), samples, pieces: pieces)
      #expect(found == expected, "in pieces of \(pieces)")
    }
  }

  @Test func leadingAndEndlessSilenceCauseNoExtraSplit() {
    let silence = [Float](repeating: 0, count: 30_000)
    let configuration = Self.configuration(.onSilence)
    #expect(Self.beginnings(configuration, silence, pieces: [480]) == [0])
    let sound = [Float](repeating: 0.5, count: 100)
    #expect(Self.beginnings(configuration, sound + silence, pieces: [480]) == [0, 2099])
    #expect(Self.beginnings(configuration, silence + sound, pieces: [480]) == [0])
  }

  @Test func pauseShorterThanTwoSecondsCausesNoSplit() {
    let sound = [Float](repeating: -0.5, count: 100)
    for (count, expected) in [(1999, [0]), (2000, [0, 2099])] {
      let samples = sound + [Float](repeating: 0, count: count) + sound
      #expect(
        Self.beginnings(Self.configuration(.onSilence), samples, pieces: [64]) == expected)
    }
  }
}
