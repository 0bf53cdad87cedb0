import AacornCodec
import AacornSignal
import TestSignals
import Testing

@testable import AacornApple

@Suite struct TimedEncoderTests {
  static let rate = 44_100
  static let configuration = AACEncoder.Configuration(
    sampleRate: rate, channelCount: 1, bitrate: 64_000, effort: .fast)
  static let music = Sound.music(frames: 40_000, rate: rate, channels: 1).channels[0]

  private func buffer(
    _ range: Range<Int>, at time: MediaTime?, sampleRate: Int = TimedEncoderTests.rate
  ) -> SoundBuffer {
    SoundBuffer(Array(Self.music[range]), sampleRate: sampleRate, channelCount: 1, time: time)
  }

  private func time(_ value: Int64, _ timescale: Int32 = 44_100) throws -> MediaTime {
    try #require(MediaTime(value: value, timescale: timescale))
  }

  /// Expects that the first unit with audio begins at `start`, and that no time is missing.
  private func expectContiguous(_ units: [TimedUnit], from start: Int64) throws {
    for (index, unit) in units.enumerated() {
      #expect(try unit.time == time(start + Int64((index - 1) * 1024)))
    }
  }

  private func finish(_ encoder: inout TimedEncoder) -> [TimedUnit] {
    encoder.finish()
    var units: [TimedUnit] = []
    while let unit = encoder.nextUnit() { units.append(unit) }
    return units
  }

  @Test func aLongBufferBecomesUnitsWithATimeEach() throws {
    var encoder = try TimedEncoder(Self.configuration)
    let gaps = [
      try encoder.encode(buffer(0..<10_000, at: time(500))),
      try encoder.encode(buffer(10_000..<20_000, at: time(10_500))),
    ]
    #expect(gaps == [nil, nil])
    let units = finish(&encoder)
    #expect(units.count == 21)
    try expectContiguous(units, from: 500)
    #expect(units.allSatisfy { $0.sampleRate == Self.rate })
    #expect(units.map(\.leadingTrim) == [1024] + [Int](repeating: 0, count: 20))
    #expect(units.map(\.trailingTrim) == [Int](repeating: 0, count: 20) + [480])
    let plain = try encoded(Array(Self.music[..<20_000]), Self.configuration).units
    #expect(units.map(\.unit.bytes) == plain.map(\.bytes))
  }

  @Test func howSoundIsCutIntoBuffersMakesNoDifference() throws {
    var whole = try TimedEncoder(Self.configuration)
    try whole.encode(buffer(0..<20_000, at: nil))
    var parts = try TimedEncoder(Self.configuration)
    var start = 0
    for length in [1, 4096, 0, 333, 7000, 8570] {
      try parts.encode(buffer(start..<start + length, at: time(Int64(start))))
      start += length
    }
    let (expected, units) = (finish(&whole), finish(&parts))
    #expect(units == expected)
  }

  /// A caller may append a whole sound before reading the first unit.
  @Test func manyBuffersAheadOfTheUnitsKeepTheirTimes() throws {
    var encoder = try TimedEncoder(Self.configuration)
    for start in stride(from: 0, to: 40_000, by: 10) {
      try encoder.encode(buffer(start..<start + 10, at: time(Int64(start) + 700)))
    }
    let units = finish(&encoder)
    #expect(units.count == 41)
    try expectContiguous(units, from: 700)
  }

  /// Timestamps in nanoseconds, for any duration.
  @Test func roundingDoesNotAddUp() throws {
    var encoder = try TimedEncoder(Self.configuration)
    let origin: Int64 = 123_456_789_012_345
    var units: [TimedUnit] = []
    for index in 0..<80 {
      let start = index * 480
      let nanoseconds = origin + Int64((Double(start) / 44_100 * 1e9).rounded())
      let gap = try encoder.encode(
        buffer(start..<start + 480, at: MediaTime(nanoseconds: nanoseconds)))
      #expect(gap == nil)
      while let unit = encoder.nextUnit() { units.append(unit) }
    }
    units += finish(&encoder)
    #expect(units.count == 39)
    for (index, unit) in units.enumerated() {
      let exact = Double((index - 1) * 1024) / 44_100 * 1e9
      #expect(abs(Double(unit.time.nanoseconds - origin) - exact) <= 1.1)
    }
  }

  @Test func silenceTakesThePlaceOfWhatIsMissing() throws {
    var encoder = try TimedEncoder(Self.configuration)
    try encoder.encode(buffer(0..<5000, at: time(0)))
    let gap = try encoder.encode(buffer(5000..<10_000, at: time(8000)))
    let expected = PresentationGap(
      outcome: .filled, end: try time(8000), frameCount: 3000, sampleRate: Self.rate)
    #expect(gap == expected)
    let units = finish(&encoder)
    let sound = Array(Self.music[..<5000]) + [Float](repeating: 0, count: 3000)
    let plain = try encoded(sound + Array(Self.music[5000..<10_000]), Self.configuration).units
    #expect(units.map(\.unit.bytes) == plain.map(\.bytes))
    try expectContiguous(units, from: 0)
  }

  @Test func afterALongGapTimesJumpAndAUnitBeginsWithTheBuffer() throws {
    var encoder = try TimedEncoder(Self.configuration)
    try encoder.encode(buffer(0..<5000, at: time(0)))
    let later = Int64(Self.rate) * 3600
    let gap = try encoder.encode(buffer(5000..<10_000, at: time(later)))
    #expect(gap?.outcome == .skipped && gap?.frameCount == Int(later) - 5000)
    let units = finish(&encoder)
    // 5,000 samples fill five units except for 120 samples; the delay adds one unit.
    let times = units.map(\.time.value)
    #expect(times[..<6] == [-1024, 0, 1024, 2048, 3072, 4096])
    #expect(times[6...] == [later, later + 1024, later + 2048, later + 3072, later + 4096])
  }

  @Test func surplusSamplesAreEncodedAndShiftLaterTimes() throws {
    var encoder = try TimedEncoder(Self.configuration)
    try encoder.encode(buffer(0..<10_240, at: time(0)))
    let gap = try encoder.encode(buffer(10_240..<20_480, at: time(2048)))
    #expect(gap?.outcome == .surplus && gap?.frameCount == 8192)
    let units = finish(&encoder)
    #expect(units.count == 21)
    let duration = 1024e9 / 44_100
    for (earlier, later) in zip(units, units.dropFirst()) {
      let distance = Double(later.time.nanoseconds - earlier.time.nanoseconds)
      #expect(abs(distance - duration) <= 2)
    }
  }

  @Test func timeIsThatOfTheInputAtAnotherRateAndAfterAChange() throws {
    var encoder = try TimedEncoder(Self.configuration)
    // A quarter of a second each, at 22,050 Hz and at the encoder's rate.
    let low = SoundBuffer(
      [Float](repeating: 0.1, count: 5512), sampleRate: 22_050, channelCount: 1, time: try time(0))
    let gaps = [
      try encoder.encode(low), try encoder.encode(buffer(0..<11_024, at: time(5512, 22_050))),
    ]
    #expect(gaps == [nil, nil])
    let origin = try time(0)
    let units = finish(&encoder)
    #expect(units.count == 23)
    for (index, unit) in units.enumerated() {
      #expect(unit.time.frames(since: origin, sampleRate: Self.rate) == Int64((index - 1) * 1024))
    }
  }

  @Test func bandReplicationDelaysTimes() throws {
    var configuration = AACEncoder.Configuration(
      sampleRate: 44_100, channelCount: 2, bitrate: 32_000, effort: .fast)
    configuration.profile = .highEfficiency
    var encoder = try TimedEncoder(configuration)
    let samples = interleavedMusic(12_000)
    try encoder.encode(
      SoundBuffer(samples, sampleRate: 44_100, channelCount: 2, time: time(10_000)))
    let units = finish(&encoder)
    #expect(units.map(\.time.value) == units.indices.map { Int64(10_000 - 3010 + $0 * 2048) })
    #expect(units.map(\.leadingTrim).prefix(3) == [2048, 962, 0])
    let playedFrameCount = units.reduce(0) { $0 + 2048 - $1.leadingTrim - $1.trailingTrim }
    #expect(playedFrameCount == 12_000)
  }

  @Test func channelsThatHaveNoPlaceAreRefused() throws {
    var encoder = try TimedEncoder(Self.configuration)
    // A buffer without a layout and with too many channels.
    let many = SoundBuffer(
      [Float](repeating: 0, count: 130), sampleRate: Self.rate, channelCount: 13)
    #expect(throws: AudioConversion.Failure.mix(from: 13, to: 1)) { try encoder.encode(many) }
    try encoder.encode(buffer(0..<100, at: nil))
    let units = finish(&encoder)
    #expect(units.count == 2)
  }

  @Test func timedEncoderAcceptsAnyNumber() throws {
    let counts = [Int.min, -1, 0, 1, 2, 3, 65, Int.max]
    for rate in counts {
      #expect(throws: EncoderError.self) {
        try TimedEncoder(.init(sampleRate: rate, channelCount: 2))
      }
    }
    var encoder = try TimedEncoder(.init(sampleRate: 48_000, channelCount: 2))
    let samples = [Float](repeating: 0.5, count: 9)
    for count in counts where count < 1 || count > 9 {
      #expect(throws: AudioConversion.Failure.self) {
        try encoder.encode(SoundBuffer(samples, sampleRate: 48_000, channelCount: count))
      }
      #expect(throws: AudioConversion.Failure.self) {
        try encoder.encode(
          SoundBuffer(samples, sampleRate: count < 1 ? count : .max, channelCount: 2))
      }
    }
    // 9 samples contain 4 whole frames; the next buffer begins with the left channel again.
    try encoder.encode(SoundBuffer(samples, sampleRate: 48_000, channelCount: 2))
    try encoder.encode(
      SoundBuffer(
        samples, sampleRate: 48_000, channelCount: 2, time: MediaTime(value: .max, timescale: 1)))
    encoder.finish()
    var count = 0
    while let unit = encoder.nextUnit() { count += unit.unit.sampleCount - unit.trailingTrim }
    #expect(count > 0)
    #expect(try encoder.encode(SoundBuffer(samples, sampleRate: 0, channelCount: 0)) == nil)
  }
}
