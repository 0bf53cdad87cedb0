/// The properties of a band replication payload, for the inspection of a stream.
package struct SBRFacts: Sendable {
  /// The result of reading a payload.
  package enum State: Equatable, Sendable {
    /// The whole payload was read.
    case read
    /// No header was received yet, which is required for reading.
    case withoutHeader
    /// The checksum does not match the content.
    case wrongChecksum
    /// The header is truncated, or requires invalid tables.
    case illegalHeader
    /// The data after the header is truncated or invalid.
    case illegalData
  }

  /// The result of reading; unless it is `read`, only `hasHeader`, `frequencies` and `bitCount` are
  /// valid.
  package internal(set) var state = State.withoutHeader
  /// Whether the payload has a valid header.
  package internal(set) var hasHeader = false
  /// The replicated frequencies in hertz, if the payload has a valid header: the first frequency
  /// above the core's, and the end of the last band.
  package internal(set) var frequencies: Range<Int>?
  /// The bits of the payload, without parametric stereo.
  package internal(set) var bitCount = 0
  /// The number of channels of its element, 1 or 2.
  package internal(set) var channelCount = 0
  /// Whether the second channel is the balance of the two.
  package internal(set) var isCoupled = false
  /// The number of channels with each grid class.
  ///
  /// They are in the order of bs_frame_class: FIXFIX, FIXVAR, VARFIX, VARVAR.
  package internal(set) var gridClasses = SIMD4<Int64>()
  /// The number of envelopes of all channels.
  package internal(set) var envelopeCount = 0
  /// Whether a channel's first envelope or noise floor is coded as differences to the last frame.
  package internal(set) var refersBack = false
  /// Whether the payload refers to the last frame, although it does not follow that frame.
  ///
  /// The payload of the last frame is missing, unreadable, or does not end where this one begins.
  package internal(set) var isDiscontinuous = false
  /// Whether sines are added to a channel.
  package internal(set) var hasHarmonics = false
  /// The properties of its parametric stereo data, if it has any.
  package internal(set) var stereo: StereoFacts?

  init() {}

  /// Whether a decoder in any state can begin with this payload.
  package var canBegin: Bool { state == .read && hasHeader && !refersBack }
}
