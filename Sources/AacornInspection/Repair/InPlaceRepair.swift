public import AacornContainers
package import AacornSoundFiles

/// The repair of a file in place, by truncation or by writes.
///
/// After any of the writes, the file is no worse than before.
public struct InPlaceRepair: Sendable {
  /// The new length of the file in bytes; nil without a truncation.
  public internal(set) var truncation: UInt64?
  /// The writes, in order.
  public internal(set) var writes: MP4RecordingWriter.Finish?

  init(truncation: UInt64? = nil, writes: MP4RecordingWriter.Finish? = nil) {
    self.truncation = truncation
    self.writes = writes
  }

  /// Creates a repair by a truncation, if any, and then these writes.
  package init(truncation: UInt64?, writes: [FileWrite]) {
    self.init(truncation: truncation, writes: MP4RecordingWriter.Finish(writes))
  }
}
