import AacornDevices
import Testing

private let rates = [1000, 8000, 44_100, 48_000, 192_000]

struct SyntheticSignalTests {
  private func samples(
    _ builtIn: SyntheticSystem.BuiltIn, rate: Int, channels: Int, frames: Int, pieces: [Int]
  ) -> [Float] {
    var signal = SyntheticSystem.signal(builtIn, sampleRate: rate, channelCount: channels)
    var samples: [Float] = []
    var done = 0
    var piece = 0
    while done < frames {
      let count = min(pieces[piece % pieces.count], frames - done)
      let read = signal.read(into: &samples, frameCount: count)
      #expect(read == count)
      done += count
      piece += 1
    }
    return samples
  }

  @Test(arguments: SyntheticSystem.BuiltIn.allCases, rates)
  func signalsStayWithinFullScale(builtIn: SyntheticSystem.BuiltIn, rate: Int) {
    let frames = min(4 * rate, 100_000)
    let samples = samples(builtIn, rate: rate, channels: 3, frames: frames, pieces: [4096])
    #expect(samples.count == 3 * frames)
    #expect(samples.allSatisfy { $0 >= -1 && $0 <= 1 })
    if builtIn != .silence {
      let peak = samples.lazy.map(abs).max() ?? 0
      #expect(peak > 0.2)
    }
  }

  @Test(arguments: SyntheticSystem.BuiltIn.allCases)
  func piecesDoNotMatter(builtIn: SyntheticSystem.BuiltIn) {
    let whole = samples(builtIn, rate: 44_100, channels: 2, frames: 60_000, pieces: [60_000])
    let cut = samples(builtIn, rate: 44_100, channels: 2, frames: 60_000, pieces: [1, 441, 7])
    #expect(whole == cut)
  }

  @Test func signalsAreTheSameOnEveryPlatform() {
    // A constant: the signals use only arithmetic that is exact or rounded by IEEE 754.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for builtIn in SyntheticSystem.BuiltIn.allCases {
      for sample in samples(builtIn, rate: 48_000, channels: 2, frames: 96_000, pieces: [960]) {
        hash = (hash ^ UInt64(sample.bitPattern)) &* 0x100_0000_01B3
      }
    }
    #expect(hash == 15_151_628_329_802_914_144)
  }

  @Test func theSweepRisesByAnOctaveASecond() {
    let samples = samples(.sweep, rate: 48_000, channels: 1, frames: 48_000 * 9, pieces: [4800])
    // Zero crossings in 0.1 s at the start of seconds 3 and 6: 160 and 1,280 Hz, and a few more
    // because the frequency rises.
    func crossings(second: Int) -> Int {
      let part = samples[(second * 48_000)..<(second * 48_000 + 4800)]
      return zip(part, part.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
    }
    #expect(crossings(second: 3) / 2 == 16 || crossings(second: 3) / 2 == 17)
    #expect((128...141).contains(crossings(second: 6) / 2))
    let maximum = zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    #expect(maximum < 0.75, "a click")
  }

  @Test func speechPausesAndSpeaks() {
    let samples = samples(.speech, rate: 16_000, channels: 1, frames: 160_000, pieces: [160])
    var quiet = 0
    var loud = 0
    for start in stride(from: 0, to: samples.count, by: 320) {
      let power = samples[start..<start + 320].reduce(0) { $0 + $1 * $1 } / 320
      if power < 1e-6 { quiet += 1 }
      if power > 1e-3 { loud += 1 }
    }
    #expect(quiet > 25 && loud > 150, "\(quiet) quiet, \(loud) loud")
  }

  @Test func counterValueDeterminesFrameNumber() {
    for frame in stride(from: 0, to: 65_536, by: 13) {
      for channel in [0, 1, 7, 63] {
        let value = CounterSignal.value(frame: frame, channel: channel)
        #expect(CounterSignal.frame(value: value, channel: channel) == frame)
      }
    }
    #expect(CounterSignal.value(frame: 0, channel: 0) == -1)
    #expect(CounterSignal.value(frame: 1, channel: 1) == Float(7 + 4099 - 32_768) / 32_768)
  }
}
