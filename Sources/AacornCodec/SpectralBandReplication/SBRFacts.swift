/// What a payload of band replication says, for who looks at a stream rather than listens to it.
package struct SBRFacts: Sendable {
  /// Whether a payload could be read.
  package enum State: Equatable, Sendable {
    /// All of it.
    case read
    /// There has been no header yet, without which nothing can be read.
    case unheaded
    /// Its checksum is that of another content.
    case wrongChecksum
    /// Its header is cut off, or asks for tables that there cannot be.
    case illegalHeader
    /// What comes after the header is cut off, or not allowed.
    case illegalData
  }

  /// Whether it could be read; if not, only the next two are known.
  package internal(set) var state = State.unheaded
  /// Whether it has a header that is right.
  package internal(set) var hasHeader = false
  /// Its bits, without those of parametric stereo.
  package internal(set) var bitCount = 0
  /// Channels of its element, 1 or 2.
  package internal(set) var channelCount = 0
  /// Whether the second channel is the balance of the two.
  package internal(set) var isCoupled = false
  /// Channels whose grid is of each class, in the order of bs_frame_class: FIXFIX, FIXVAR, VARFIX,
  /// VARVAR.
  package internal(set) var gridClasses = SIMD4<Int64>()
  /// Envelopes of all channels.
  package internal(set) var envelopeCount = 0
  /// Whether the first envelope or noise floor of a channel is coded as differences to the last frame.
  package internal(set) var refersBack = false
  /// Whether it refers to a frame that is not there: the last payload is missing, cannot be read, or
  /// does not end where this one begins.
  package internal(set) var isTorn = false
  /// Whether sines are added to a channel.
  package internal(set) var hasHarmonics = false
  /// What it says of parametric stereo, if it does.
  package internal(set) var stereo: StereoFacts?

  init() {}

  /// Whether a decoder can begin with it, whatever it decoded before.
  package var canBegin: Bool { state == .read && hasHeader && !refersBack }
}
