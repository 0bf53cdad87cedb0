import AacornNetwork

extension RTMPService {
  /// The progress of a connection.
  enum Step {
    case handshake
    case connect
    case publish
    case live
  }

  /// Returns the error for a connection that the server closes.
  ///
  /// Many servers reject an invalid key in this way, without a message. A server also closes the
  /// connection if it is stopped at this moment, or if its authorization service fails, so retrying
  /// may help.
  func closed(at step: Step) -> NetworkError {
    let words =
      switch step {
      case .handshake:
        "before the RTMP handshake. Check the host and port, and whether it requires rtmps"
      case .connect:
        "after the request for the application “\(configuration.publicApplication)”. Check the "
          + "address"
      case .publish:
        "after the request to publish. Many servers do so without an explanation if the stream key "
          + "is wrong or publishing is not allowed. Check the key, and see the server's log"
      case .live:
        "and no longer accepts the stream. Check whether the server is still running, and see its "
          + "log or the page of the service"
      }
    return NetworkError(.closed, "“\(name)” closed the connection \(words).")
  }

  /// Returns the error for a missing response.
  func silence(at step: Step) -> NetworkError {
    let question =
      step == .connect ? "for the application “\(configuration.publicApplication)”" : "to publish"
    return NetworkError(
      .timeout, "“\(name)” did not respond to the request \(question). Try again later.")
  }

  /// Returns the error for a rejection by the server.
  func rejection(_ status: RTMPCommand.Status, at step: Step) -> NetworkError {
    let (kind, words, advice) = Self.explanation(of: status, at: step)
    let detail = [quotable(status.code), quotable(status.description)].filter { !$0.isEmpty }
      .joined(separator: ": ")
    let application = configuration.publicApplication
    return NetworkError(
      kind,
      "“\(name)” \(words.isEmpty ? "has no application “\(application)”" : words)"
        + (detail.isEmpty ? "" : " (\(detail))") + ". \(advice)")
  }

  private typealias Explanation = (kind: NetworkError.Kind, words: String, advice: String)

  /// Returns the error kind, the description and the remedy.
  ///
  /// An empty description means that the application does not exist.
  private static func explanation(of status: RTMPCommand.Status, at step: Step) -> Explanation {
    let asksForUser = ["authmod", "authfail", "nosuchuser", "badauth", "unauthorized"].contains {
      !status.description.lowercased().ranges(of: $0).isEmpty
    }
    switch status.code {
    case "NetConnection.Connect.InvalidApp": return (.notFound, "", "Check the address.")
    case "NetStream.Publish.BadName":
      return (
        .taken, "reports that this stream is already being published",
        "Stop the other sender, or check the stream key."
      )
    case "NetStream.Publish.Unauthorized", "NetStream.Authenticate.UsherToken":
      return (.unauthorized, "does not accept the stream key", "Check the key.")
    case "NetStream.Publish.Denied", "NetStream.Publish.Rejected":
      return (
        .forbidden, "does not allow publishing", "Check the stream key and your permissions."
      )
    case "NetConnection.Connect.Rejected" where asksForUser, "NetConnection.Connect.Unauthorized":
      return (
        .unauthorized,
        "requires a different user or password", "Check both; they precede the host."
      )
    case "NetConnection.Connect.Rejected":
      return (
        .forbidden, "refused the connection",
        "Check the address, and whether you may publish there."
      )
    default:
      return (
        .serverFault,
        step == .live ? "has ended the stream" : "has an error and does not accept the stream",
        "Try again later."
      )
    }
  }

  /// Returns a text from the server as one short line, or an empty text if it contains a secret.
  private func quotable(_ words: String) -> String {
    let held = configuration.secrets.contains { !words.ranges(of: $0).isEmpty }
    return held ? "" : SanitizedLine.of(words, limit: 200)
  }
}

extension RTMPConfiguration {
  /// The values that must not be displayed, in all forms in which a server may repeat them.
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
