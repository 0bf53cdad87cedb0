import AacornNetwork
import AacornStreaming
import AacornSystem

/// The servers of a stream with their credentials.
///
/// Credentials in a server's address take precedence over the credentials file, and the file over
/// the environment.
struct StreamServers {
  private let command: StreamCommand
  private let credentials: Credentials
  /// The secrets that must not be shown.
  private(set) var secrets: [Secret] = []
  /// The warnings about insecure options.
  private(set) var warnings: [String] = []

  init(_ command: StreamCommand, environment: (String) -> String?) throws(UsageError) {
    self.command = command
    credentials = try Credentials(file: command.credentialsFile, environment: environment)
    if let certificate = command.certificateFile,
      (try? System.status(of: certificate))?.kind != .file
    {
      throw UsageError("The certificate file “\(displayed(certificate))” does not exist.")
    }
    if let proxy = command.proxy.flatMap(ServerURL.init(proxy:)), proxy.password != nil {
      secrets += proxy.secrets
      warnings.append(
        "The address of the proxy \(displayed(proxy.authority)) contains a password, which other "
          + "users of this machine can see. It is safer to omit --proxy and set https_proxy.")
    }
  }

  mutating func icecast() throws(UsageError) -> [LivePlan.Output] {
    try command.icecasts.map { (text) throws(UsageError) in
      let address = ServerURL(text)
      if let address { recordSecrets(address, insteadOf: .icecastPassword) }
      let hasPassword = address?.password != nil
      let password =
        hasPassword ? nil : address.flatMap { credentials.value(.icecastPassword, for: $0) }
      var configuration = try rethrow(
        as: { (error: NetworkError) in
          UsageError(
            error.message,
            hint: error.kind == .unauthorized ? Credentials.Key.icecastPassword.hint : "")
        }, IcecastConfiguration(address: text, password: password?.text))
      if (address?.user ?? "").isEmpty,
        let user = address.flatMap({ credentials.value(.icecastUser, for: $0) })
      {
        configuration.user = user.text
      }
      adjust(&configuration.endpoint)
      configuration.name = command.station.name
      configuration.description = command.station.description
      configuration.genre = command.station.genre
      configuration.website = command.station.website
      configuration.isPublic = command.station.isPublic
      return recordSecrets(.icecast(configuration))
    }
  }

  mutating func rtmp() throws(UsageError) -> [LivePlan.Output] {
    try command.rtmps.map { (text) throws(UsageError) in
      let address = ServerURL(text)
      let hasKey = address?.streamKey != nil
      if let address {
        recordSecrets(address, insteadOf: address.password == nil ? .rtmpKey : .rtmpPassword)
      }
      let key = hasKey ? nil : address.flatMap { credentials.value(.rtmpKey, for: $0) }
      var configuration = try rethrow(
        as: { (error: NetworkError) in
          UsageError(
            error.message,
            hint: address != nil && !hasKey && key == nil ? Credentials.Key.rtmpKey.hint : "")
        }, RTMPConfiguration(address: text, streamKey: key?.text))
      if let address, configuration.user == nil,
        let user = credentials.value(.rtmpUser, for: address),
        let password = credentials.value(.rtmpPassword, for: address)
      {
        configuration.user = user.text
        configuration.password = password.text
      }
      adjust(&configuration.endpoint)
      return recordSecrets(.rtmp(configuration))
    }
  }

  mutating func hlsUploads() throws(UsageError) -> [HLSUploadConfiguration] {
    try command.hls.origins.map { (text) throws(UsageError) in
      let address = ServerURL(text)
      if let address { recordSecrets(address, insteadOf: .hlsPassword) }
      var configuration = try rethrow(
        as: { (error: NetworkError) in UsageError(error.message) },
        HLSUploadConfiguration(address: text))
      if let address, configuration.password == nil {
        configuration.user = configuration.user ?? credentials.value(.hlsUser, for: address)?.text
        configuration.password = credentials.value(.hlsPassword, for: address)?.text
      }
      configuration.removesOldFiles = command.hls.removesOldFiles
      adjust(&configuration.endpoint)
      secrets += configuration.secrets
      return configuration
    }
  }

  private func adjust(_ endpoint: inout NetworkEndpoint) {
    endpoint.certificateFile = command.certificateFile
    endpoint.proxy = command.proxy
  }

  /// Adds the secrets of a server to `secrets`.
  private mutating func recordSecrets(_ server: LiveServer) -> LivePlan.Output {
    secrets += server.secrets
    return .server(server)
  }

  /// Adds the secrets in an address to `secrets`, and warns that `key` is safer.
  private mutating func recordSecrets(_ address: ServerURL, insteadOf key: Credentials.Key) {
    secrets += address.secrets
    if address.secrets.isEmpty { return }
    let what =
      address.password != nil ? "password" : address.streamKey != nil ? "stream key" : "query"
    // An environment variable cannot replace a query that contains a secret.
    let condition = address.secretQuery == nil ? "" : ", if the server accepts a password instead"
    warnings.append(
      "The address of \(displayed(address.authority)) contains a \(what), which other users of "
        + "this machine can see. It is safer to use \(key.variable), or --credentials\(condition).")
  }
}

extension StreamCommand {
  /// Masks passwords and keys in process listings.
  func hideSecrets() {
    for address in serverAddresses {
      if let masked = address.masked { System.hideInArguments(address.text, behind: masked) }
    }
  }

  /// The addresses that may contain a password or a stream key.
  var serverAddresses: [ServerURL] {
    let servers = (icecasts + rtmps + hls.origins).map { ServerURL($0) }
    return (servers + [proxy.flatMap(ServerURL.init(proxy:))]).compactMap(\.self)
  }
}
