import AacornWeb

extension RTMPService {
  /// How far a connection has progressed.
  enum Step {
    case handshake
    case connect
    case publish
    case live
  }

  /// What it means that the server closes the connection.
  ///
  /// Many refuse a wrong key like this, silently. But it also happens if a server stops at this
  /// moment, or if its authorization service is out of order, so retrying may help.
  func closed(at step: Step) -> NetworkError {
    let words =
      switch step {
      case .handshake:
        "before it spoke RTMP. Check the host and port, and whether it requires rtmps"
      case .connect:
        "when it was asked for the application “\(configuration.publicApplication)”. Check the "
          + "address"
      case .publish:
        "when it was asked to accept the stream. Servers do this without explanation if the stream "
          + "key is wrong or publishing is not allowed: check the key, and what the server's log "
          + "says"
      case .live:
        "and no longer accepts the stream. Check whether the server is still running, and what its "
          + "log or the service's page says about the stream"
      }
    return NetworkError(.closed, "“\(name)” closed the connection \(words).")
  }

  /// The error if no answer comes.
  func silence(at step: Step) -> NetworkError {
    let question =
      step == .connect ? "for the application “\(configuration.publicApplication)”" : "to publish"
    return NetworkError(
      .timeout, "“\(name)” does not answer when it is asked \(question). Try again later.")
  }

  /// What a server's refusal means.
  func refusal(_ status: RTMPCommand.Status, at step: Step) -> NetworkError {
    let (kind, words, advice) = Self.meaning(of: status, at: step)
    let detail = [quotable(status.code), quotable(status.words)].filter { !$0.isEmpty }
      .joined(separator: ": ")
    let application = configuration.publicApplication
    return NetworkError(
      kind,
      "“\(name)” \(words.isEmpty ? "has no application “\(application)”" : words)"
        + (detail.isEmpty ? "" : " (\(detail))") + ". \(advice)")
  }

  private typealias Meaning = (kind: NetworkError.Kind, words: String, advice: String)

  /// Kind, words and advice; empty words mean that the application is missing.
  private static func meaning(of status: RTMPCommand.Status, at step: Step) -> Meaning {
    let asksForUser = ["authmod", "authfail", "nosuchuser", "badauth", "unauthorized"].contains {
      !status.words.lowercased().ranges(of: $0).isEmpty
    }
    switch status.code {
    case "NetConnection.Connect.InvalidApp": return (.notFound, "", "Check the address.")
    case "NetStream.Publish.BadName":
      return (
        .taken, "says that this stream is already being published",
        "Stop the other sender, or check the stream key."
      )
    case "NetStream.Publish.Unauthorized", "NetStream.Authenticate.UsherToken":
      return (.unauthorized, "does not accept the stream key", "Check the key.")
    case "NetStream.Publish.Denied", "NetStream.Publish.Rejected":
      return (
        .forbidden, "does not allow publishing", "Check the stream key and what you may do there."
      )
    case "NetConnection.Connect.Rejected" where asksForUser, "NetConnection.Connect.Unauthorized":
      return (
        .unauthorized,
        "requires a different user or password", "Check both; they come before the host."
      )
    case "NetConnection.Connect.Rejected":
      return (
        .forbidden, "refused the connection",
        "Check the address, and whether you may publish there."
      )
    default:
      return (
        .serverFault,
        step == .live ? "has ended the stream" : "has an error and accepts no stream",
        "Try again later."
      )
    }
  }

  /// The server's words as one short line; empty if they contain a secret.
  private func quotable(_ words: String) -> String {
    let held = configuration.secrets.contains { !words.ranges(of: $0).isEmpty }
    return held ? "" : PlainLine.of(words, limit: 200)
  }
}

extension RTMPConfiguration {
  /// What must not be shown, in the forms in which a server may repeat it.
  var secrets: [String] {
    var secrets = [streamKey, user ?? "", password ?? ""]
    for text in [streamKey, application] {
      let parts = text.split(separator: "?", maxSplits: 1)
      if text == streamKey, let name = parts.first { secrets.append(String(name)) }
      guard parts.count > 1 else { continue }
      secrets += parts[1].split(separator: "&").map { String($0.drop { $0 != "=" }.dropFirst()) }
    }
    secrets += secrets.map { PercentCoding.encode($0) }
    return secrets.filter { !$0.isEmpty }
  }
}
