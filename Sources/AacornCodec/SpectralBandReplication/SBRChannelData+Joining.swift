/// A frame that says little.
extension SBRChannelData {
  /// Makes one envelope of low resolution of all, and one noise floor: a payload for which there is
  /// no room otherwise always has room for these.
  ///
  /// Where the frame begins and ends does not change, nor whether the next one begins with a
  /// transient. `isCoarse` and `tables` are those of the header. `SBRWriter.limit` comes after it.
  mutating func joinEnvelopes(isCoarse: Bool, tables: SBRTables) {
    var borders = SIMD8<UInt8>()
    borders[0] = UInt8(grid.start)
    borders[1] = UInt8(grid.end)
    let isBeforeTransient = grid.transient == grid.envelopeCount
    guard
      let joined = SBRGrid(
        borders: borders, envelopeCount: 1, transient: isBeforeTransient ? 1 : -1, resolutions: 0)
    else { return }
    let wasCoarse = self.isCoarse
    let odd = tables.bandCount(isHigh: true) & 1
    self.isCoarse = isCoarse && !joined.hasFineSteps
    for band in 0..<tables.bandCount(isHigh: false) {
      var sum = 0
      for envelope in 0..<grid.envelopeCount {
        let source = SBRPreviousData.band(
          band, isHigh: false, wasHigh: grid.isHigh(envelope), odd: odd)
        sum += Int(envelopes[envelope * SBRTables.mostBands + source])
      }
      let mean = sum / grid.envelopeCount
      // Nothing is read here any more: bands of high resolution are further on.
      envelopes[band] = UInt8(
        clamping: wasCoarse == self.isCoarse ? mean : wasCoarse ? 2 * mean : mean / 2)
    }
    if grid.noiseCount == 2 {
      for band in 0..<tables.noiseCount {
        noise[band] = UInt8((Int(noise[band]) + Int(noise[8 + band])) / 2)
      }
    }
    grid = joined
  }
}
