import AacornContainers
import AacornSystem

extension MP4Reader {
  /// Returns the warning about an edit list that is not applied, as a message; `name` is the
  /// file's.
  func editWarning(_ name: String) -> String? {
    hasBackwardEdits
      ? "“\(displayed(name))” asks to play parts of its sound again or in another order (by its "
        + "edit list); each was taken once, in the order in which it is stored." : nil
  }
}
