import Foundation

@testable import AacornCodec

/// Measures the time of each stage of encoding a frame.
///
/// The loop below mirrors the encoder's loop and measures the time around each stage.
enum Stages {
  private static let frames = 2000

  private struct Clock {
    var names: [String] = []
    var nanoseconds: [UInt64] = []

    mutating func time(_ name: String, _ body: () -> Void) {
      let start = DispatchTime.now().uptimeNanoseconds
      body()
      let spent = DispatchTime.now().uptimeNanoseconds - start
      if let index = names.firstIndex(of: name) {
        nanoseconds[index] += spent
      } else {
        names.append(name)
        nanoseconds.append(spent)
      }
    }
  }

  static func run() throws {
    var music = Music()
    let samples = music.samples(frames: (frames + 4) * 1024)
    for effort in AACEncoder.Effort.allCases {
      var encoder = try AACEncoder(
        .init(sampleRate: Music.rate, channelCount: 2, effort: effort))
      encoder.encode(interleaved: samples.span)
      var clock = Clock()
      for _ in 0..<frames { encodeFrame(&encoder, &clock) }
      print("\nStages of a stereo frame, effort \(effort)")
      Table.row("", "µs a frame", "share")
      let stages = zip(clock.names, clock.nanoseconds)
      let total = stages.filter { $0.0 != sections }.reduce(0) { $0 + $1.1 }
      for (name, spent) in stages where name != sections { line(name, spent, total) }
      for (name, spent) in stages where name == sections { line(name, spent, total) }
    }
  }

  private static let sections = "of it, one pass of sections"

  private static func line(_ name: String, _ spent: UInt64, _ total: UInt64) {
    Table.row(
      name, Table.number(Double(spent) / Double(frames) / 1000, 1),
      Table.number(100 * Double(spent) / Double(total), 1) + " %")
  }

  private static func encodeFrame(_ encoder: inout AACEncoder, _ clock: inout Clock) {
    for element in encoder.elements.indices {
      clock.time("windows") { encoder.chooseWindows(element) }
      clock.time("transform, masking") { encoder.analyzeSpectra(element) }
      clock.time("tools, statistics") { encoder.chooseTools(element) }
    }
    clock.time("quantization with sections") { encoder.quantize() }
    // This stage is repeated only to measure its time; the result is the same.
    clock.time(sections) {
      for element in encoder.elements {
        for channel in element.channels {
          _ = encoder.channels[channel].divideIntoSections(
            element.layout(channel), by: &encoder.sectioning, with: encoder.tables)
        }
      }
    }
    clock.time("writing") { encoder.write() }
    encoder.input.advance(by: 1)
  }
}
