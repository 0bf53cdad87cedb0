extension System {
  /// Whether a library could not be loaded because there is no such file, by the loader's words.
  ///
  /// One that is there and needs another that is not has nearly the same words, which begin with the
  /// name of the other.
  package static func isMissing(_ library: String, accordingTo reason: String) -> Bool {
    reason.hasPrefix(library + ":") && reason.hasSuffix("No such file or directory")
  }
}
