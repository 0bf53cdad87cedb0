import AacornSignal
import TestSignals
import Testing

@testable import AacornCodec

/// The energies of the filter bank's bands for a number of frames, in the layout of
/// `SBRSpectrum`.
struct GridScene {
  let frameCount: Int
  /// The energies of 64 bands per slot, from eight slots before the first frame to 24 after the
  /// last one.
  private var rows: [Float] = []

  init(frameCount: Int, _ energy: (_ slot: Int, _ band: Int) -> Float) {
    self.frameCount = frameCount
    for slot in -8..<32 * frameCount + 24 {
      for band in 0..<64 { rows.append(energy(slot, band)) }
    }
  }

  /// The energies that are known when `frame` is planned: of 64 slots, with padding that vector
  /// loads may read.
  func energies(_ frame: Int) -> [Float] {
    [Float](rows[2_048 * frame..<2_048 * frame + 4_096]) + [0, 0, 0, 0]
  }

  func plans(_ tables: SBRTables, _ policy: GridPolicy) -> [GridPlan] {
    var planner = GridPlanner(tables, channelCount: 1, policy: policy)
    return (0..<frameCount).map { frame in
      planner.analyze(energies(frame), channel: 0)
      return planner.plan(channel: 0, isLastOfSegment: false)
    }
  }

  /// Returns tables whose first replicated band is 23.
  static func tables() throws -> SBRTables {
    var header = SBRHeader()
    header.spectrum.startFrequency = 12
    header.spectrum.stopFrequency = 9
    let tables = try #require(SBRTables(header, rate: 44_100))
    try #require(tables.start == 23)
    return tables
  }

  /// Returns a random energy of Gaussian noise; the mean is 1.
  static func noise(_ random: inout SeededNumbers) -> Float {
    -0.693_147_2 * ElementaryFunctions.log2(Float.random(in: 0.000_001..<1, using: &random))
  }

  /// Whether a grid can have these borders (ISO/IEC 14496-3, table 4.69).
  static func isExpressible(_ borders: [Int]) -> Bool {
    let distances = zip(borders.dropFirst(), borders).map { $0 - $1 }
    guard (1...5).contains(distances.count), distances.allSatisfy({ $0 > 0 }) else { return false }
    guard let start = borders.first, let end = borders.last else { return false }
    guard (0...3).contains(start), (16...19).contains(end) else { return false }
    return (0..<distances.count).contains { gap in
      let others = distances[..<gap] + distances[(gap + 1)...]
      return gap <= 3 && distances.count - 1 - gap <= 3
        && others.allSatisfy { [2, 4, 6, 8].contains($0) }
    }
  }
}

extension GridPlan {
  var slots: [Int] { (0...envelopeCount).map { Int(borders[$0]) } }
}
