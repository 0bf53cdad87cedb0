extension System {
  /// Fills descriptors 0 to 2 if the program was started without them; true if standard output was
  /// missing.
  ///
  /// Otherwise the next opened file would get such a number, and everything printed would go into
  /// it. The substitutes can be neither read nor written, so that attempts show up as errors.
  package static func fillStandardDescriptors() -> Bool {
    var isOutputMissing = false
    for descriptor in [standardInput, standardOutput, standardError]
    where (try? status(of: descriptor)) == nil {
      if descriptor == standardOutput { isOutputMissing = true }
      // The system assigns the lowest free number, and all below are taken.
      _ = try? open("/dev/null", for: descriptor == standardInput ? .writing : .reading)
    }
    return isOutputMissing
  }
}
