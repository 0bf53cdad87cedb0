extension System {
  /// Opens substitutes for missing descriptors 0 to 2, and returns whether standard output was
  /// missing.
  ///
  /// Otherwise the next opened file would get such a number, and all printed text would be written
  /// to it. The substitutes can be neither read nor written, so that attempts return errors.
  package static func fillStandardDescriptors() -> Bool {
    var isOutputMissing = false
    for descriptor in [standardInput, standardOutput, standardError]
    where (try? status(of: descriptor)) == nil {
      if descriptor == standardOutput { isOutputMissing = true }
      // The system assigns the lowest free number, and all lower numbers are in use.
      _ = try? open("/dev/null", for: descriptor == standardInput ? .writing : .reading)
    }
    return isOutputMissing
  }
}
