/// Which Aacorn this is.
public enum AacornVersion {
  /// The number of the release.
  public static var number: StaticString { "0.1.0" }

  /// What files say about the program that made them.
  public static var encoderTag: String {
    var text = "Aacorn "
    number.withUTF8Buffer { unsafe text += String(decoding: $0, as: UTF8.self) }
    return text
  }
}
