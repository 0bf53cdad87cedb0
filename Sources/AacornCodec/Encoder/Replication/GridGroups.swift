/// The replicated bands in at most eight groups, and the low bands that are their sources.
struct GridGroups: Sendable {
  /// The number of groups in all vectors; some may be empty.
  static let width = 8

  /// The borders of the groups, in bands of the filter bank.
  private(set) var borders: [Int] = []
  /// The source of each band from the first replicated one on; −1 for a band of a patch that was
  /// dropped because it was too narrow.
  private(set) var sources: [Int] = []
  /// The reciprocal number of bands of each group and of its sources; 0 without bands.
  private(set) var shares = [Float](repeating: 0, count: width)
  private(set) var sourceShares = [Float](repeating: 0, count: width)
  /// The borders of high-resolution bands.
  let high: [Int]

  var count: Int { borders.count - 1 }

  init(_ tables: SBRTables) {
    high = tables.high
    let bandCount = tables.bandCount(isHigh: false)
    let count = min(Self.width, bandCount)
    for group in 0...count { borders.append(tables.low[group * bandCount / count]) }
    sources = [Int](repeating: -1, count: tables.count)
    var index = 0
    for patch in tables.patchWidths.indices {
      for band in 0..<tables.patchWidths[patch] {
        sources[index] = tables.patchSources[patch] + band
        index += 1
      }
    }
    for group in 0..<count {
      let first = borders[0]
      var sourceCount = 0
      for band in borders[group]..<borders[group + 1] where sources[band - first] >= 0 {
        sourceCount += 1
      }
      shares[group] = 1 / Float(borders[group + 1] - borders[group])
      sourceShares[group] = sourceCount > 0 ? 1 / Float(sourceCount) : 0
    }
  }
}
