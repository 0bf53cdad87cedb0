import AacornNetwork
import AacornStudio
import AacornSystem

// The endpoint and the access control of the studio, from the options and the environment.
extension StudioCommand {
  static let tokenVariable = "AACORN_STUDIO_TOKEN"

  /// Rejects contradictory options.
  func check(environment: (String) -> String?) throws(UsageError) {
    if socket != nil && (port != nil || address != nil) {
      throw UsageError(
        "The studio listens either on a socket or on a port.",
        hint: "Omit --socket, or --port and --bind.")
    }
    if socket != nil && opensPage && urls.isEmpty {
      throw UsageError(
        "A browser cannot open a socket.",
        hint: "Give the address of its proxy with --url, or omit --open.")
    }
    guard allowsAnonymousAccess else { return }
    if tokenFile != nil {
      throw UsageError(
        "--token-file and --no-token exclude each other.",
        hint: "Omit --token-file or --no-token.")
    }
    if hasToken(environment) {
      throw UsageError(
        "The environment contains a token for the studio, \(Self.tokenVariable).",
        hint: "Omit --no-token, or unset it.")
    }
  }

  /// The socket, or the port and address, to listen on.
  var endpoint: StudioEndpoint {
    if let socket { return .socket(socket) }
    return .port(port ?? Self.defaultPort, address: address ?? "127.0.0.1")
  }

  private func hasToken(_ environment: (String) -> String?) -> Bool {
    environment(Self.tokenVariable)?.isEmpty == false
  }

  func hasChosenToken(environment: (String) -> String?) -> Bool {
    !allowsAnonymousAccess && (tokenFile != nil || hasToken(environment))
  }

  /// Returns the access control; a token file takes precedence over the environment.
  func access(environment: (String) -> String?) throws(UsageError) -> StudioAccess {
    if allowsAnonymousAccess { return .unrestricted }
    let token: String
    if let tokenFile {
      let file = SecretFile(path: tokenFile, option: "--token-file", content: "the token")
      token = try file.text(environment: environment).trimmed
    } else if hasToken(environment) {
      token = environment(Self.tokenVariable) ?? ""
    } else {
      return .newToken
    }
    let access = StudioAccess.token(token)
    do throws(NetworkError) {
      try access.check()
    } catch {
      let tokenOrigin =
        tokenFile.map { "“\(displayed($0))”" } ?? "the variable \(Self.tokenVariable)"
      throw UsageError(error.message, hint: "It comes from \(tokenOrigin).")
    }
    return access
  }
}
