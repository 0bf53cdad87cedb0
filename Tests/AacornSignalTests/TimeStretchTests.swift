import AacornSignal
import Foundation
import Testing

struct TimeStretchTests {
  private func stretch(
    _ input: [Float], rate: Int = 48_000, channels: Int = 1, speed: Double, pieces: [Int] = [.max]
  ) -> [Float] {
    var stretch = TimeStretch(sampleRate: rate, channelCount: channels)
    stretch.setSpeed(speed)
    var output: [Float] = []
    inPieces(input, of: pieces, channelCount: channels) { stretch.process($0, into: &output) }
    stretch.flush(into: &output)
    return output
  }

  /// The frequency in hertz, from the first and the last rising zero crossing.
  private func frequency(_ samples: ArraySlice<Float>, _ rate: Int) -> Double {
    var crossings: [Double] = []
    for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
      let before = Double(samples[index - 1])
      crossings.append(Double(index) - 1 - before / (Double(samples[index]) - before))
    }
    guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
    return Double(crossings.count - 1) * Double(rate) / (last - first)
  }

  @Test func speedOnePassesEveryBitThrough() {
    var input = noise(20_001)
    input[17] = .infinity
    let output = stretch(input, speed: 1, pieces: [1, 999])
    #expect(output.map(\.bitPattern) == input.map(\.bitPattern))
  }

  @Test(arguments: [0.5, 0.75, 0.9, 1.1, 1.25, 1.5, 2.0], [8000, 44_100, 48_000, 96_000])
  func lengthIsThatOfTheInputDividedBySpeed(speed: Double, rate: Int) {
    for count in [1, 100, rate / 10, rate + 7] {
      let output = stretch(noise(count), rate: rate, speed: speed)
      let ideal = (Double(count) / speed - 1e-6).rounded(.up)
      #expect(Double(output.count) == ideal, "\(count) frames")
    }
  }

  @Test(arguments: [0.5, 0.8, 1.3, 2.0], [110.0, 440, 997, 3000])
  func timeStretchPreservesPitch(speed: Double, pitch: Double) {
    let output = stretch(sine(pitch, amplitude: 0.5, count: 96_000), speed: speed)
    let outputFrequency = frequency(output[4800..<output.count - 4800], 48_000)
    let cents = 1200 * log2(outputFrequency / pitch)
    #expect(abs(cents) < 1.5, "\(cents) cents")
  }

  @Test(arguments: [0.5, 1.5])
  func sineStaysASineOfTheSameLevel(speed: Double) {
    let output = stretch(sine(440, amplitude: 0.5, count: 96_000), speed: speed)
    let middle = output[4800..<output.count - 4800]
    let power = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
    #expect(abs(power - 0.125) < 0.003)
    #expect(middle.allSatisfy { abs($0) < 0.51 })
  }

  @Test(arguments: [0.6, 1, 1.7])
  func outputIsIndependentOfBlockSize(speed: Double) {
    let input = noise(60_000)
    let whole = stretch(input, channels: 2, speed: speed)
    for pieces in [[1000], [1, 17, 4096], [29_999]] {
      #expect(stretch(input, channels: 2, speed: speed, pieces: pieces) == whole)
    }
  }

  @Test func silenceStaysSilence() {
    let output = stretch(.init(repeating: 0, count: 48_000), speed: 0.75)
    #expect(output == [Float](repeating: 0, count: 64_000))
  }

  @Test func extremeSamplesDoNotAffectLaterOutput() {
    var input = sine(440, amplitude: 0.5, count: 48_000)
    input[10_000] = .nan
    input[10_001] = .infinity
    let output = stretch(input, speed: 1.2)
    #expect(output.count == 40_000 && output.allSatisfy { abs($0) <= 1 })
    let later = output[20_000..<35_000]
    let power = later.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(later.count)
    #expect(abs(power - 0.125) < 0.01)
  }

  @Test(arguments: [0.5, 0.75, 1.5])
  func attackIsKeptUnchangedAndNotRepeated(speed: Double) {
    var input = sine(200, amplitude: 0.5, count: 96_000).map { $0 * 0.02 }
    let click = sine(2500, amplitude: 0.5, count: 240)
    for index in click.indices { input[50_000 + index] += click[index] }
    let output = stretch(input, speed: speed)
    var starts: [Int] = []
    for index in output.indices where abs(output[index]) > 0.2 {
      if starts.isEmpty || index - starts[starts.count - 1] > 480 {
        starts.append(index)
      } else {
        starts[starts.count - 1] = index
      }
    }
    #expect(starts.count == 1)
    let peak = output.map(abs).max() ?? 0
    #expect(peak > 0.45 && peak < 0.55)
  }

  @Test func speedChangesAtAnyTimeWithoutAJump() {
    let input = sine(440, amplitude: 0.5, count: 192_000)
    var stretch = TimeStretch(sampleRate: 48_000, channelCount: 1)
    var output: [Float] = []
    var expected = 0.0
    let speeds = [1, 1.5, 0.5, 1, 2, 0.75, 1, 1.1]
    for (part, speed) in speeds.enumerated() {
      stretch.setSpeed(speed)
      stretch.process(input.span.extracting(part * 24_000..<(part + 1) * 24_000), into: &output)
      expected += 24_000 / speed
    }
    #expect(stretch.position <= 192_000)
    stretch.flush(into: &output)
    // Each change may add a window, two stretches of 20 ms and the search range.
    #expect(abs(Double(output.count) - expected) < Double(speeds.count) * 3000)
    for index in output.indices.dropFirst() {
      #expect(abs(output[index] - output[index - 1]) < 0.06)
    }
  }

  @Test func positionRefersToInput() {
    var stretch = TimeStretch(sampleRate: 48_000, channelCount: 2)
    stretch.setSpeed(2)
    var output: [Float] = []
    let input = noise(200_000)
    stretch.process(input.span, into: &output)
    #expect(stretch.position == Double(output.count / 2) * 2)
    stretch.setSpeed(1)
    stretch.process(input.span, into: &output)
    #expect(stretch.position == 200_000)
    stretch.reset()
    #expect(stretch.position == 0)
  }

  @Test func speedsBeyondTheSupportedOnesAreTheNearest() {
    var stretch = TimeStretch(sampleRate: 48_000, channelCount: 1)
    stretch.setSpeed(9)
    #expect(stretch.speed == 2)
    stretch.setSpeed(-1)
    #expect(stretch.speed == 0.5)
    stretch.setSpeed(.nan)
    #expect(stretch.speed == 1)
  }
}
