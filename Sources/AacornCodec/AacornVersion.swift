/// The version of Aacorn.
public enum AacornVersion {
  /// The release number.
  public static var number: StaticString { "0.1.0" }

  /// The name and version that files give for the program that made them.
  public static var encoderTag: String {
    var text = "Aacorn "
    number.withUTF8Buffer { unsafe text += String(decoding: $0, as: UTF8.self) }
    return text
  }
}
