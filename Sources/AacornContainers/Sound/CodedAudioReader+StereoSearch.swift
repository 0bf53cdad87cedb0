import AacornCodec

/// The search for parametric stereo at the start of a stream with one channel.
///
/// Parametric stereo may be signaled late, but a file should keep one format.
extension CodedAudioReader {
  /// The maximum number of units to search for parametric stereo.
  ///
  /// 128 units last about six seconds (1024 samples each at 22.05 kHz). For a pipe, which may be
  /// live, the limit is lower, because the search delays the audio.
  private var searchLimit: Int { isLengthKnown ? 128 : 16 }
  /// The number of units without band replication that rule out parametric stereo.
  private static let monoUnitLimit = 4

  /// Checks a unit for parametric stereo.
  mutating func peek(at unit: CodedUnit) {
    searchedUnits.append(unit)
    guard searchDecoder?.decode(unit.bytes) != nil,
      let (format, count) = searchDecoder?.currentFormat()
    else {
      return
    }
    let isCoreOnly = count == configuration?.frameLength
    if format.channelCount == 2 || searchedUnits.count >= searchLimit
      || isCoreOnly && searchedUnits.count >= Self.monoUnitLimit
    {
      endSearch()
    }
  }

  /// Starts the decoder, with two channels if the search found parametric stereo.
  mutating func endSearch() {
    if searchDecoder?.currentFormat().0.channelCount == 2, let configuration {
      var options = options.decoder
      options.expectsParametricStereo = true
      if let stereo = try? AACDecoder(configuration, options: options) { decoder = stereo }
    }
    searchDecoder = nil
    searchedUnits.reverse()
  }
}
