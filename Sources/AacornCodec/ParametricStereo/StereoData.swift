/// What ps_data carries for a frame (ISO/IEC 14496-3, table 8.9): differences, as they are coded.
///
/// Its arrays have room for all there may be, so that reading allocates nothing.
struct StereoData: Sendable {
  /// Most envelopes of a frame.
  static let maxEnvelopes = 4
  /// Most bands of a parameter, and where the values of the next envelope start.
  static let stride = 34

  /// One kind of parameter.
  struct Values: Sendable {
    /// For each envelope, whether differences are to the one before rather than to the band below.
    var isTimeCoded = [Bool](repeating: false, count: maxEnvelopes)
    /// The differences of the envelopes.
    var differences = [Int8](repeating: 0, count: maxEnvelopes * stride)
  }

  /// The extension that carries phases.
  enum Phases: Sendable {
    /// There is none.
    case absent
    /// It says that there are no phases.
    case off
    /// It has phases.
    case on
  }

  /// Whether the frame has a header.
  var hasHeader = false
  /// The header of the frame, or the one that holds.
  var header = StereoHeader()
  /// Whether borders are sent (frame_class 1); otherwise envelopes are equally long.
  var hasBorders = false
  /// Envelopes of the frame, 0...4; with none the parameters stay.
  var envelopeCount = 0
  /// The last slot of each envelope, if borders are sent.
  var borders = [UInt8](repeating: 0, count: maxEnvelopes)
  /// iid_data: levels, −7...7 or, fine, −15...15.
  var levels = Values()
  /// icc_data: coherences, 0...7.
  var coherences = Values()
  /// Whether phases are sent.
  var phases = Phases.absent
  /// ipd_data: phases between the channels, modulo 8.
  var phaseDifferences = Values()
  /// opd_data: phases of the left channel against the mono signal, modulo 8.
  var overallPhases = Values()
}
