import AacornCodec

/// Determines the possible configurations of bare frames by trying all of them.
///
/// A frame parsed with the bands of another rate or with another channel count ends at the wrong
/// position, so the following data is not parsable. The longer the run of frames, the more certain
/// the result.
struct FrameProbe<Failure: Error> {
  /// The candidates, common rates first, and the offset of the first frame.
  struct Finding {
    var configurations: [AudioSpecificConfig] = []
    var offset: UInt64 = 0
  }

  private let hints: RepairHints

  /// The maximum number of frames to read; configurations that all match then are
  /// indistinguishable.
  private static var maxRunLength: Int { 2048 }
  /// The number of consecutive frames required, unless the file has fewer.
  private static var minRunLength: Int { 16 }
  private static var minRunLengthInShortFile: Int { 3 }
  /// The maximum number of other bytes before the first frame.
  private static var searchLength: UInt64 { 1024 }

  private static var commonRates: [Int] {
    [
      48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 96_000, 88_200, 64_000, 12_000, 11_025,
      8_000, 7_350,
    ]
  }

  init(_ hints: RepairHints) {
    self.hints = hints
  }

  /// Searches a range of the file; returns no candidates if it has no frames.
  func find(
    in range: Range<UInt64>, _ window: inout FileWindow<Failure>
  ) throws(Failure) -> Finding {
    let finding = try find(in: range, searching: 0, &window)
    if !finding.configurations.isEmpty { return finding }
    return try find(in: range, searching: Self.searchLength, &window)
  }

  private func find(
    in range: Range<UInt64>, searching length: UInt64, _ window: inout FileWindow<Failure>
  ) throws(Failure) -> Finding {
    var best = 0
    var finding = Finding()
    for group in rateGroups {
      for channels in 1...7 where isAllowed(channels) {
        let configuration = AudioSpecificConfig(
          objectType: .lowComplexity, sampleRate: group[0], channelConfiguration: channels)
        var finder = FrameFinder<Failure>(configuration)
        var offset = range.lowerBound
        if length > 0 {
          let nextOffset = try finder.nextOffset(
            after: offset, limit: range.upperBound, searching: length, &window)
          guard let nextOffset else { continue }
          offset = nextOffset
        }
        let run = try finder.run(
          at: offset, limit: range.upperBound, maxCount: Self.maxRunLength, &window)
        let minimum = run.reachesEnd ? Self.minRunLengthInShortFile : Self.minRunLength
        guard run.count >= minimum, run.count >= best else { continue }
        if run.count > best { finding.configurations = [] }
        best = run.count
        finding.offset = offset
        for rate in group {
          var configuration = configuration
          configuration.sampleRate = rate
          finding.configurations.append(configuration)
        }
      }
    }
    return finding
  }

  private func isAllowed(_ channelConfiguration: Int) -> Bool {
    guard let count = hints.channelCount else { return true }
    return ChannelConfiguration(rawValue: channelConfiguration)?.channelCount == count
  }

  /// Groups of rates that share band tables, the most common rate of each group first.
  private var rateGroups: [[Int]] {
    if let rate = hints.sampleRate { return rate > 0 ? [[rate]] : [] }
    var groups: [[Int]] = []
    var tables: [([Int], [Int])] = []
    for rate in Self.commonRates {
      let frameReader = FrameReader(
        AudioSpecificConfig(
          objectType: .lowComplexity, sampleRate: rate, channelConfiguration: 1))
      let table = (frameReader.bandOffsets(isShort: false), frameReader.bandOffsets(isShort: true))
      if let index = tables.firstIndex(where: { $0.0 == table.0 && $0.1 == table.1 }) {
        groups[index].append(rate)
      } else {
        tables.append(table)
        groups.append([rate])
      }
    }
    return groups
  }
}
