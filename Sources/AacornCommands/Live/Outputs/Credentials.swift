import AacornNetwork
import AacornStreaming
import AacornSystem

/// Passwords and stream keys from a file and the environment.
///
///     # for all servers
///     icecast-password = …
///
///     # for one of them
///     [radio.example.org:8000]
///     icecast-user = …
///     icecast-password = …
///
/// An entry in a server's section takes precedence over a general entry, and the file over the
/// environment.
struct Credentials: Sendable {
  enum Key: String, CaseIterable, Sendable {
    case icecastUser = "icecast-user"
    case icecastPassword = "icecast-password"
    case rtmpKey = "rtmp-key"
    case rtmpUser = "rtmp-user"
    case rtmpPassword = "rtmp-password"
    case hlsUser = "hls-user"
    case hlsPassword = "hls-password"

    /// The name of the environment variable.
    var variable: String { "AACORN_" + rawValue.uppercased().replacing("-", with: "_") }
  }

  private var general: [Key: Secret] = [:]
  private var servers: [String: [Key: Secret]] = [:]
  private var environment: [Key: Secret] = [:]

  /// Reads the environment and, if given, a file.
  init(file: String?, environment: (String) -> String?) throws(UsageError) {
    for key in Key.allCases {
      if let value = environment(key.variable), !value.isEmpty {
        self.environment[key] = Secret(value)
      }
    }
    guard let file else { return }
    try parse(
      OptionValue.secret(
        in: file, option: "--credentials", content: "passwords", environment: environment))
  }

  func value(_ key: Key, for address: ServerURL) -> Secret? {
    for location in address.credentialNames {
      if let value = servers[location]?[key] { return value }
    }
    return general[key] ?? environment[key]
  }

  // MARK: - The file

  mutating func parse(_ text: String) throws(UsageError) {
    var server: String?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("[") && line.hasSuffix("]") {
        server = line.dropFirst().dropLast().lowercased()
        continue
      }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // Never print the line itself: it may contain a password.
      let location = "Line \(index + 1) of the credentials file"
      guard parts.count == 2 else {
        throw UsageError("\(location) is not of the form “key = value”.")
      }
      guard let key = Key(rawValue: parts[0].trimmed) else {
        throw UsageError(
          "\(location) has a key that does not exist.",
          hint: "The known keys are \(Key.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      let value = Secret(parts[1].trimmed)
      try reject(if: value.text.isEmpty, "\(location) has no value.")
      if let server { servers[server, default: [:]][key] = value } else { general[key] = value }
    }
  }
}
