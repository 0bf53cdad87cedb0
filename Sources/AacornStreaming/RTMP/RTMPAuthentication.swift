/// How a publisher proves who it is to servers that ask with `authmod=adobe`.
///
/// The server refuses the connection twice, and each time says in the words of its refusal what it
/// wants to see behind the application of the next one:
///
///     need auth       ─► authmod=adobe&user=…
///     reason=needauth ─► authmod=adobe&user=…&challenge=…&response=…&opaque=…
///
/// The response holds the password in a form of which it cannot be found out quickly.
struct RTMPAuthentication {
  private let user: String
  private let password: String
  private let challenge: String

  /// How often a connection may be refused on the way.
  static let refusalLimit = 2

  /// What a user has to prove with; `challenge` is any text that was not used before.
  init(user: String, password: String, challenge: String) {
    self.user = user
    self.password = password
    self.challenge = challenge
  }

  /// With a challenge by chance.
  init(user: String, password: String) {
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    self.init(
      user: user, password: password,
      challenge: String(repeating: "0", count: 8 - digits.count) + digits)
  }

  /// What goes behind the application after a refusal; nil if the refusal is none of these two.
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

  /// The names and values behind the question mark.
  private static func fields(of words: String) -> [String: String] {
    guard let mark = words.firstIndex(of: "?") else { return [:] }
    var fields: [String: String] = [:]
    for field in words[mark...].dropFirst().split(whereSeparator: { $0 == "&" || $0 == " " }) {
      // Values in base 64 end with equality signs of their own.
      guard let sign = field.firstIndex(of: "=") else { continue }
      fields[String(field[..<sign])] = String(field[sign...].dropFirst())
    }
    return fields
  }

  private static func digest(_ text: String) -> String {
    Base64.encode(MD5.digest(of: Array(text.utf8)))
  }
}
