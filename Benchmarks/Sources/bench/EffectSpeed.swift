import AacornRecording
import AllocationCounter
import Foundation

/// Measures time and allocations of effects, each alone and as the chain for speech.
enum EffectSpeed {
  private static let blockLength = 480
  private static let blockCount = 2000
  private static let channelCount = 2

  /// Prints a table and returns whether no block allocates.
  static func run() throws -> Bool {
    var music = Music()
    let samples = music.samples(frames: blockLength * 100).map { Float($0) / 32_768 }
    let countsAllocations = allocation_counter_works() != 0
    print("\nEffects of stereo at \(Music.rate) Hz")
    Table.row("", "ns a frame", "× real time", "allocations")
    var isFine = true
    // Measure the foreign code of denoise, if installed, because our wrapper must not allocate.
    let kinds = EffectKind.allCases.map(\.rawValue).filter { canBeMade($0) }
    for name in kinds + EffectPreset.allCases.map(\.rawValue) {
      let (nanoseconds, allocations) = try measure(name, samples)
      if countsAllocations && allocations > 0 { isFine = false }
      Table.row(
        name, Table.number(nanoseconds, 1),
        Table.number(1e9 / nanoseconds / Double(Music.rate), 0),
        countsAllocations ? "\(allocations)" : "–")
    }
    if !isFine { print("  An effect must not allocate while it runs.") }
    return isFine
  }

  private static func canBeMade(_ text: String) -> Bool {
    let chain = try? EffectChain(
      EffectDescription.parse(text), channelCount: channelCount, sampleRate: Music.rate)
    return chain != nil
  }

  /// Returns the time of a frame, and the number of allocations in all blocks.
  private static func measure(_ text: String, _ samples: [Float]) throws -> (Double, Int) {
    var chain = try EffectChain(
      try EffectDescription.parse(text), channelCount: channelCount, sampleRate: Music.rate)
    let length = blockLength * channelCount
    var block: [Float] = []
    block.reserveCapacity(length)
    var (start, before) = (DispatchTime.now().uptimeNanoseconds, 0)
    // The first blocks are shorter and use cold memory.
    let warmUp = 100
    for turn in 0..<warmUp + blockCount {
      if turn == warmUp {
        before = allocation_count()
        start = DispatchTime.now().uptimeNanoseconds
      }
      let first = turn % 100 * length
      block.removeAll(keepingCapacity: true)
      block.append(contentsOf: samples[first..<first + length])
      chain.process(&block)
    }
    let spent = DispatchTime.now().uptimeNanoseconds - start
    let allocations = allocation_count() - before
    return (Double(spent) / Double(blockCount * blockLength), allocations)
  }
}
