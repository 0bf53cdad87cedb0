import AacornContainers
import AacornSystem

extension MP4Reader {
  /// Returns the warning about an edit list that is not applied, as a message; `name` is the
  /// file's.
  func editWarning(_ name: String) -> String? {
    hasBackwardEdits
      ? "The edit list of “\(displayed(name))” repeats or reorders parts of the audio; each part was "
        + "read once, in the stored order." : nil
  }
}
