extension ChannelReader {
  /// Reads spectral_data (ISO/IEC 14496-3, table 4.56), and reorders it by window.
  ///
  /// In the stream, the windows of a group alternate band by band:
  ///
  ///     stream     group 0: band 0 of window 0, band 0 of window 1, band 1 of window 0, …
  ///     spectrum   window 0: band 0, band 1, …   window 1: band 0, band 1, …
  mutating func readSpectrum(_ channel: inout ParsedChannel) throws(ParseError) {
    let offsets = channel.window.isShort ? bands.short : bands.long
    let keepsSpectrum = keepsSpectrum
    // Appending a copy is the fastest way to fill an array.
    if keepsSpectrum { channel.spectrum.append(contentsOf: zeros) }
    let windowInfo = channel.window
    var cursor = SpectrumCursor(bits)
    let isComplete = unsafe channel.spectrum.withUnsafeMutableBufferPointer { lines in
      unsafe channel.codebooks.withUnsafeBufferPointer { codebooks in
        unsafe bits.withBytes { bytes in
          // If the spectrum is not kept, nothing is written, so the band may end anywhere.
          let lineCount = keepsSpectrum ? lines.count : .max
          var isValid = true
          windowInfo.forEachBand(offsets) { band, range, _ in
            let codebook = unsafe Int(codebooks[band])
            guard Codebook.all.contains(codebook), isValid else { return }
            precondition(range.upperBound <= lineCount)
            let target =
              unsafe keepsSpectrum ? lines.baseAddress.map { unsafe $0 + range.lowerBound } : nil
            isValid = unsafe cursor.read(codebook, range.count, bytes, into: target)
          }
          return isValid
        }
      }
    }
    bits.skip(cursor.next - bits.position)
    if !isComplete { throw failure(.escapeTooLong) }
  }
}
