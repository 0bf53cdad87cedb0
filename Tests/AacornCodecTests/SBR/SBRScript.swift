import TestSignals
import Testing

@testable import AacornCodec

/// Random frame data for one or two channels, sometimes similar to the previous frame.
struct SBRScript {
  let header: SBRHeader
  let tables: SBRTables
  /// The data of the current frame, limited to values that can be coded.
  private(set) var channels: [SBRChannelData]
  private(set) var isCoupled = false
  private var random: SeededNumbers
  private let greatest: Int
  private var levels: [[Int]]

  /// Creates a script with tables number `index`.
  ///
  /// Tables 0 have twelve bands of high resolution, tables 1 eleven, and tables 2 ten and one noise
  /// band.
  init(
    tables index: Int, isCoarse: Bool, channelCount: Int, greatest: Int = 127, seed: UInt64
  ) throws {
    var header = SBRHeader()
    header.isCoarse = isCoarse
    header.spectrum.startFrequency = [10, 10, 5][index]
    header.spectrum.stopFrequency = [9, 9, 6][index]
    header.spectrum.crossoverBand = [0, 1, 0][index]
    header.spectrum.frequencyScale = [2, 2, 3][index]
    header.spectrum.noiseBands = [2, 2, 1][index]
    self.header = header
    tables = try #require(SBRTables(header, rate: 44_100))
    channels = [SBRChannelData](repeating: SBRChannelData(), count: channelCount)
    random = SeededNumbers(seed: seed)
    self.greatest = greatest
    levels = [[Int]](
      repeating: [Int](repeating: greatest / 2, count: SBRTables.maxBandCount), count: channelCount)
  }

  mutating func advance() {
    if channels.count == 2 && Int.random(in: 0..<5, using: &random) == 0 { isCoupled.toggle() }
    for channel in channels.indices { makeFrame(channel) }
    SBRWriter.limit(&channels, isCoupled: isCoupled, tables: tables)
  }

  private mutating func makeFrame(_ channel: Int) {
    let grid = Self.grid(&random, start: max(0, channels[channel].grid.end - 16))
    channels[channel].grid = grid
    channels[channel].isCoarse = header.isCoarse && !grid.hasFineSteps
    let change = [0, 1, 3, 60][Int.random(in: 0..<4, using: &random)]
    for index in 0..<8 {
      channels[channel].inverseFiltering[index] = UInt8.random(in: 0...3, using: &random)
    }
    for index in 0..<16 {
      let value = Int(channels[channel].noise[index])
      channels[channel].noise[index] = UInt8(clamping: value + step(change))
    }
    for envelope in 0..<grid.envelopeCount {
      for band in 0..<tables.bandCount(isHigh: grid.isHigh(envelope)) {
        let level = min(max(levels[channel][band] + step(change), 0), greatest)
        levels[channel][band] = level
        channels[channel].envelopes[envelope * SBRTables.maxBandCount + band] = UInt8(level)
      }
    }
    channels[channel].harmonics =
      Bool.random(using: &random) ? 0 : UInt64.random(in: 0...UInt64.max, using: &random)
  }

  private mutating func step(_ change: Int) -> Int {
    Int.random(in: -change...change, using: &random)
  }

  /// Returns a valid grid of any class that begins at the end of the previous one.
  private static func grid(_ random: inout SeededNumbers, start: Int) -> SBRGrid {
    while true {
      let bytes = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
      var bits = BitReader(bytes)
      if let grid = SBRGrid(&bits, slotCount: 16), grid.start == start { return grid }
    }
  }
}
