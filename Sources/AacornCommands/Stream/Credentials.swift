import Platform
import Streaming

/// Passwords and stream keys, from a file and from the environment.
///
///     # for all servers
///     icecast-password = …
///
///     # for one of them
///     [radio.example.org:8000]
///     icecast-user = …
///     icecast-password = …
///
/// What stands under the name of a server goes before what stands for all, and the file before the
/// environment.
struct Credentials: Sendable {
  /// What can be given.
  enum Key: String, CaseIterable, Sendable {
    case icecastUser = "icecast-user"
    case icecastPassword = "icecast-password"
    case rtmpKey = "rtmp-key"
    case rtmpUser = "rtmp-user"
    case rtmpPassword = "rtmp-password"

    /// The variable of the environment.
    var variable: String {
      switch self {
      case .icecastUser: "AACORN_ICECAST_USER"
      case .icecastPassword: "AACORN_ICECAST_PASSWORD"
      case .rtmpKey: "AACORN_RTMP_KEY"
      case .rtmpUser: "AACORN_RTMP_USER"
      case .rtmpPassword: "AACORN_RTMP_PASSWORD"
      }
    }
  }

  private var general: [Key: Secret] = [:]
  private var servers: [String: [Key: Secret]] = [:]
  private var environment: [Key: Secret] = [:]

  /// A longer file is none of credentials.
  private static let longest = 65_536

  /// Reads the environment, and a file if there is one.
  init(file: String?, environment: (String) -> String?) throws(UsageError) {
    for key in Key.allCases {
      if let value = environment(key.variable), !value.isEmpty {
        self.environment[key] = Secret(value)
      }
    }
    guard let file else { return }
    let folder = environment("CREDENTIALS_DIRECTORY")
    try parse(Self.read(file, isKeptBySystem: folder.map { file.hasPrefix($0 + "/") } ?? false))
  }

  /// What is to be used for a server.
  func value(_ key: Key, for address: StreamAddress) -> Secret? {
    for place in address.places {
      if let value = servers[place]?[key] { return value }
    }
    return general[key] ?? environment[key]
  }

  // MARK: - The file

  /// Reads a file that nobody else may read.
  private static func read(_ path: String, isKeptBySystem: Bool) throws(UsageError) -> String {
    let bytes: [UInt8]
    let permissions: Int
    // A named pipe would be waited for, perhaps for ever. One that a shell has opened for “<(…)”
    // brings its text at once.
    if (try? System.status(of: path))?.kind == .other && !isOpen(path) {
      throw UsageError(
        "“\(displayed(path))” is no file.", advice: "It is what --credentials names.")
    }
    do throws(SystemError) {
      let file = try System.open(path, for: .reading)
      defer { try? System.close(file) }
      let status = try System.status(of: file)
      if status.kind == .folder { throw .isFolder }
      permissions = status.permissions
      bytes = try readAll(file)
    } catch {
      throw UsageError(
        CommandFailure(.open, path, error).sentence, advice: "It is what --credentials names.")
    }
    // What a service manager hands over has a list of its own of who may read it, which shows as
    // rights of the group.
    if permissions & (isKeptBySystem ? 0o007 : 0o077) != 0 {
      throw UsageError(
        "Others may read “\(displayed(path))”, which holds passwords.",
        advice: "Take that right away: chmod 600 \(shellWord(path))")
    }
    if bytes.count > longest {
      throw UsageError("“\(displayed(path))” is too long for a file of credentials.")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a path stands for something that this process was started with.
  private static func isOpen(_ path: String) -> Bool {
    path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }

  private static func readAll(_ file: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= longest {
      let count = try System.read(file, into: &block)
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  private static func shellWord(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || "/._-0123456789".utf8.contains(byte)
    }
    return isPlain ? path : "'" + displayed(path) + "'"
  }

  mutating func parse(_ text: String) throws(UsageError) {
    var server: String?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = Self.trimmed(line)
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("[") && line.hasSuffix("]") {
        server = line.dropFirst().dropLast().lowercased()
        continue
      }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // Never the line itself: it may hold a password.
      let place = "Line \(index + 1) of the file of credentials"
      guard parts.count == 2 else {
        throw UsageError("\(place) is not of the form “key = value”.")
      }
      guard let key = Key(rawValue: Self.trimmed(parts[0])) else {
        throw UsageError(
          "\(place) has a key that does not exist.",
          advice: "Known are \(Key.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      let value = Secret(Self.trimmed(parts[1]))
      if value.text.isEmpty { throw UsageError("\(place) has no value.") }
      if let server { servers[server, default: [:]][key] = value } else { general[key] = value }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }
}
