/// The version of Aacorn.
public enum AacornVersion {
  /// The release number.
  public static var number: StaticString { "0.1.0" }

  /// The program name and version that is written to files.
  public static var encoderTag: String {
    var text = "Aacorn "
    number.withUTF8Buffer { unsafe text += String(decoding: $0, as: UTF8.self) }
    return text
  }
}
