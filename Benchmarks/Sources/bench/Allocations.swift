import AacornCodec
import AllocationCounter

/// Allocations of a frame once the encoder is warm.
enum Allocations {
  /// The most that a frame may make.
  static let threshold = 0

  private static let warmUp = 200
  private static let measured = 1000

  /// Prints a table and returns whether no frame allocates.
  static func run() throws -> Bool {
    guard allocation_counter_works() != 0 else {
      print("\nAllocations can be counted with glibc only.")
      return true
    }
    print("\nAllocations in \(measured) frames after \(warmUp), at most \(threshold) wanted")
    Table.row("", "constant", "average", "variable")
    var isFine = true
    for channelCount in [1, 2, 6] {
      for effort in AACEncoder.Effort.allCases {
        let counts = try [
          AACEncoder.RateControl.constant(bitsPerSecond: 64_000 * channelCount),
          .average(bitsPerSecond: 64_000 * channelCount), .variable(level: 3),
        ].map { control in
          try count(
            .init(
              sampleRate: Music.rate, channelCount: channelCount, rateControl: control,
              effort: effort))
        }
        if counts.contains(where: { $0 > threshold * measured }) { isFine = false }
        Table.row(
          "\(channelCount) channel\(channelCount == 1 ? "" : "s"), \(effort)",
          "\(counts[0])", "\(counts[1])", "\(counts[2])")
      }
    }
    if !isFine { print("  A frame in the steady state must not allocate.") }
    return isFine
  }

  private static func count(_ configuration: AACEncoder.Configuration) throws -> Int {
    var encoder = try AACEncoder(configuration)
    var music = Music()
    let channelCount = configuration.channelCount
    let stereo = music.samples(frames: 65_536)
    var samples: [Int16] = []
    for frame in 0..<65_536 {
      for channel in 0..<channelCount { samples.append(stereo[frame * 2 + channel % 2]) }
    }
    var unit = AccessUnit()
    var before = 0
    for frame in 0..<warmUp + measured {
      if frame == warmUp { before = allocation_count() }
      let start = frame % 64 * 1024 * channelCount
      encoder.encode(
        interleaved: samples.span.extracting(start..<start + 1024 * channelCount))
      while encoder.nextAccessUnit(into: &unit) {}
    }
    return allocation_count() - before
  }
}
