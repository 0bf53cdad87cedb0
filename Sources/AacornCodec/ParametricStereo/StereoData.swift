/// The ps_data of a frame (ISO/IEC 14496-3, table 8.9): differences, as they are coded.
///
/// Its arrays have room for the maximum, so that reading allocates nothing.
struct StereoData: Sendable {
  static let maxEnvelopes = 4
  /// The maximum number of bands of a parameter, and the distance between envelopes.
  static let stride = 34

  /// One kind of parameter.
  struct Values: Sendable {
    /// Whether each envelope's differences refer to the previous envelope, not to the band below.
    var isTimeCoded = [Bool](repeating: false, count: maxEnvelopes)
    var differences = [Int8](repeating: 0, count: maxEnvelopes * stride)
  }

  /// The state of the extension with phases.
  enum Phases: Sendable {
    /// There is no extension.
    case absent
    /// The extension states that there are no phases.
    case off
    /// The extension contains phases.
    case on
  }

  var hasHeader = false
  /// The header of the frame, or the last one received.
  var header = StereoHeader()
  /// Whether borders are sent (frame_class 1); otherwise envelopes have equal lengths.
  var hasBorders = false
  /// The number of envelopes of the frame, 0...4; with 0 the parameters stay.
  var envelopeCount = 0
  /// The last slot of each envelope, if borders are sent.
  var borders = [UInt8](repeating: 0, count: maxEnvelopes)
  /// iid_data: levels, −7...7 or, fine, −15...15.
  var levels = Values()
  /// icc_data: coherences, 0...7.
  var coherences = Values()
  /// The phases of the extension, if the data has an extension.
  var phases = Phases.absent
  /// ipd_data: phases between the channels, modulo 8.
  var phaseDifferences = Values()
  /// opd_data: phases of the left channel relative to the mono signal, modulo 8.
  var overallPhases = Values()
}
