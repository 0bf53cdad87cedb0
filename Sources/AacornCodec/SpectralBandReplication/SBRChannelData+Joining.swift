/// The simplification of a frame's data.
extension SBRChannelData {
  /// Joins all envelopes to one of low resolution, and the noise floors to one.
  ///
  /// The result fits in a payload that has no room for the original. The start and the end of the
  /// frame do not change, nor does a transient at the start of the next one. `isCoarse` and
  /// `tables` belong to the header. Call `SBRWriter.limit` afterwards.
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
        sum += Int(envelopes[envelope * SBRTables.maxBandCount + source])
      }
      let mean = sum / grid.envelopeCount
      // Later bands do not read this element: their sources have higher indices.
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
