/// Where the scalefactor bands of a stream's windows begin (ISO/IEC 14496-3, 4.5.4).
struct WindowBands: Sendable {
  /// Line offsets of the bands of a long window, the end included.
  let long: [Int]
  /// Line offsets of the bands of a short window, the end included.
  let short: [Int]

  /// The bands for a rate and a frame of 1024 or 960 samples.
  init(_ frequency: SamplingFrequency, frameLength: Int) {
    let index = frequency.index
    if frameLength == 960 {
      long = Self.slice(
        DecodingTables.long960BandOffsets, from: DecodingTables.long960BandSetStarts[index],
        bands: DecodingTables.long960BandCounts[index])
      short = Self.slice(
        DecodingTables.short120BandOffsets, from: DecodingTables.short120BandSetStarts[index],
        bands: DecodingTables.short120BandCounts[index])
    } else {
      let bands = ScaleFactorBands(rateIndex: index)
      long = bands.long
      short = bands.short
    }
  }

  private static func slice(_ table: [UInt16], from start: UInt16, bands: UInt8) -> [Int] {
    (0...Int(bands)).map { Int(table[Int(start) + $0]) }
  }
}
