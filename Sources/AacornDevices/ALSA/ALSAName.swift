#if os(Linux)
/// The rules for the names of ALSA's devices.
///
/// A name can have arguments, and these can be the name or the definition of another device. So a
/// name can make alsa-lib write a file (`file:`, `tee:`), run a command (a file that begins with
/// `|`) or define anything else (`{…}`).
enum ALSAName {
  /// Throws if opening a device of this name could do more than open a device from the
  /// configuration.
  static func check(_ name: String) throws(DeviceError) {
    if hasHarmlessArguments(name) { return }
    throw .system(
      operation: "open", id: name,
      reason:
        "with this name, ALSA could run a command or open a file; if you trust it, define the "
        + "device in ~/.asoundrc and choose it by its name there")
  }

  /// Whether a name is a name from the configuration with harmless arguments.
  ///
  /// Harmless arguments contain no definition, and no name that opens a file. A path alone is
  /// harmless: it can only be an argument of a definition that the user wrote, or of a device such
  /// as `oss:/dev/dsp`.
  static func hasHarmlessArguments(_ name: String) -> Bool {
    // Without arguments the configuration alone defines the device.
    guard name.contains(":") else { return !name.contains { "{}|".contains($0) } }
    guard name.unicodeScalars.allSatisfy(isHarmless) else { return false }
    // Arguments can be names, in quotes or after a key.
    let words = name.split { " .,:=+'\"".contains($0) }
    return !words.contains { ["file", "tee"].contains($0) }
  }

  /// Whether a character is a letter, a digit or another harmless part of names and arguments.
  ///
  /// It excludes escapes in quoted text, the braces of definitions and the `|` of a command.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    " _-.,:=+/'\"".unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
      || scalar.properties.numericType != nil
  }
}
#endif
