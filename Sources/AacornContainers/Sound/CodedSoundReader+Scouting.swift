import AacornCodec

/// The search for parametric stereo at the start of a stream with one channel.
///
/// It may be told late, and a file is to have one format.
extension CodedSoundReader {
  /// Units that are searched for parametric stereo; six seconds, but of a pipe, which may be live,
  /// less.
  private var scoutingLimit: Int { isLengthKnown ? 128 : 16 }
  /// Units without band replication that are enough to know that there is none.
  private static let plainLimit = 4

  /// Looks for parametric stereo in a unit.
  mutating func look(at unit: CodedUnit) {
    scouted.append(unit)
    guard scout?.decode(unit.bytes) != nil, let (format, count) = scout?.tellFormat() else {
      return
    }
    let isPlain = count == configuration?.frameLength
    if format.channelCount == 2 || scouted.count >= scoutingLimit
      || isPlain && scouted.count >= Self.plainLimit
    {
      endScouting()
    }
  }

  /// Lets the decoder begin, with two channels if there is parametric stereo.
  mutating func endScouting() {
    if scout?.tellFormat().0.channelCount == 2, let configuration {
      var options = options.decoder
      options.expectsParametricStereo = true
      if let stereo = try? AACDecoder(configuration, options: options) { decoder = stereo }
    }
    scout = nil
    scouted.reverse()
  }
}
