import AacornContainers
import AacornNetwork
import AacornSystem

/// The authentication of a publisher at servers that require `authmod=adobe`.
///
/// The server rejects the connection twice. The text of each rejection determines the query that
/// the next attempt must append to the application:
///
///     need auth       ─► authmod=adobe&user=…
///     reason=needauth ─► authmod=adobe&user=…&challenge=…&response=…&opaque=…
///
/// The response contains the password only as a digest, from which it cannot be recovered quickly.
struct RTMPAuthentication {
  private let user: String
  private let password: String
  private let challenge: String

  /// The number of rejections before a successful authentication.
  static let rejectionLimit = 2

  /// Creates an authentication.
  ///
  /// `challenge` is any text that was not used before.
  init(user: String, password: String, challenge: String) {
    self.user = user
    self.password = password
    self.challenge = challenge
  }

  /// Creates an authentication with a random challenge.
  init(user: String, password: String) {
    let challenge = hexadecimal(UInt32.random(in: .min ... .max), digits: 8)
    self.init(user: user, password: password, challenge: challenge)
  }

  /// Returns the query to append to the application after a rejection, or nil if the rejection does
  /// not request authentication.
  func query(answering words: String) -> String? {
    guard !words.ranges(of: "authmod=adobe").isEmpty else { return nil }
    let start = "authmod=adobe&user=\(PercentCoding.encode(user))"
    let fields = Self.fields(of: words)
    switch fields["reason"] {
    case nil where !words.ranges(of: "need auth").isEmpty: return start
    case "needauth":
      let salted = Self.digest(user + (fields["salt"] ?? "") + password)
      let theirs = fields["opaque"] ?? fields["challenge"] ?? ""
      let response = Self.digest(salted + theirs + challenge)
      return start + "&challenge=\(challenge)&response=\(response)"
        + (fields["opaque"].map { "&opaque=\($0)" } ?? "")
    default: return nil
    }
  }

  /// Returns the names and values after the question mark.
  private static func fields(of words: String) -> [String: String] {
    guard let mark = words.firstIndex(of: "?") else { return [:] }
    var fields: [String: String] = [:]
    for field in words[mark...].dropFirst().split(whereSeparator: { $0 == "&" || $0 == " " }) {
      // Base64 values may end with equals signs.
      guard let sign = field.firstIndex(of: "=") else { continue }
      fields[String(field[..<sign])] = String(field[sign...].dropFirst())
    }
    return fields
  }

  private static func digest(_ text: String) -> String {
    Base64.encode(MD5.digest(of: Array(text.utf8)))
  }
}
