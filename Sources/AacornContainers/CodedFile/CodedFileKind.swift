/// The format of a file of coded audio.
public enum CodedFileKind: Equatable, Sendable {
  /// Frames with ADTS headers.
  case adts
  /// LATM in LOAS frames.
  case latm
  /// A header and blocks without lengths.
  case adif
  /// MP4, M4A, 3GP or QuickTime.
  case mp4
  /// An MPEG transport stream.
  case transportStream
}
