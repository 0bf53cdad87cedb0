import AacornCodec
import AllocationCounter

/// The number of allocations in each frame in the steady state.
enum Allocations {
  /// The maximum number of allocations in a frame.
  static let threshold = 0

  private static let warmUp = 200
  private static let measured = 1000

  /// The measured profiles, with the number of channels and the total bits per second.
  private static let sounds: [(profile: AACEncoder.Profile, channelCount: Int, bitrate: Int)] = [
    (.lowComplexity, 1, 64_000), (.lowComplexity, 2, 128_000), (.lowComplexity, 6, 384_000),
    (.highEfficiency, 1, 32_000), (.highEfficiency, 2, 64_000), (.highEfficiencyV2, 2, 32_000),
  ]

  /// Prints a table and returns whether no frame allocates.
  static func run() throws -> Bool {
    guard allocation_counter_works() != 0 else {
      print("\nAllocations can be counted with glibc only.")
      return true
    }
    print("\nAllocations in \(measured) frames after \(warmUp), at most \(threshold) wanted")
    Table.row("", "constant", "average", "variable")
    var isFine = true
    for (profile, channelCount, bitrate) in sounds {
      for effort in AACEncoder.Effort.allCases {
        let counts = try [
          AACEncoder.RateControl.constant(bitsPerSecond: bitrate),
          .average(bitsPerSecond: bitrate), .variable(level: 3),
        ].map { control in
          try count(
            .init(
              sampleRate: Music.rate, channelCount: channelCount, rateControl: control,
              effort: effort, profile: profile))
        }
        if counts.contains(where: { $0 > threshold * measured }) { isFine = false }
        Table.row(
          "\(name(profile)), \(channelCount) channel\(channelCount == 1 ? "" : "s"), \(effort)",
          "\(counts[0])", "\(counts[1])", "\(counts[2])")
      }
    }
    if !isFine { print("  A frame in the steady state must not allocate.") }
    return isFine
  }

  private static func name(_ profile: AACEncoder.Profile) -> String {
    switch profile {
    case .lowComplexity: "AAC-LC"
    case .highEfficiency: "HE-AAC"
    case .highEfficiencyV2: "HE-AAC v2"
    }
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
    let frameLength = encoder.timing.samplesPerUnit
    for frame in 0..<warmUp + measured {
      if frame == warmUp { before = allocation_count() }
      let start = frame % (65_536 / frameLength) * frameLength * channelCount
      encoder.encode(
        interleaved: samples.span.extracting(start..<start + frameLength * channelCount))
      while encoder.nextAccessUnit(into: &unit) {}
    }
    return allocation_count() - before
  }
}
