extension System {
  /// Takes the numbers 0 to 2 where the program was started without them; true if standard output
  /// was missing.
  ///
  /// The next file that is opened would get such a number, and would be written into by whatever
  /// prints. What takes their place can be neither read nor written, so that it shows where somebody
  /// tries.
  package static func fillStandardDescriptors() -> Bool {
    var isOutputMissing = false
    for descriptor in [standardInput, standardOutput, standardError]
    where (try? status(of: descriptor)) == nil {
      if descriptor == standardOutput { isOutputMissing = true }
      // The lowest free number is given, and those below have been taken.
      _ = try? open("/dev/null", for: descriptor == standardInput ? .writing : .reading)
    }
    return isOutputMissing
  }
}
