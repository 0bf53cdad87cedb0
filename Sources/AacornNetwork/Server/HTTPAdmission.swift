/// The decision on a request whose headers have been received.
public enum HTTPAdmission: Sendable {
  /// Pass the request to the handler, and treat its client as a guest.
  ///
  /// Some connections are reserved for guests.
  case asGuest
  /// Pass the request to the handler, because it is allowed for anyone.
  ///
  /// New clients may still displace its client. The body must be short
  /// (`HTTPServer.Options.unauthenticatedBodyLimit`).
  case asUnauthenticated
  /// Reject the request with this response, without reading the body.
  case rejected(HTTPResponse)

  /// The response of a rejection; nil for an admitted request.
  public var rejection: HTTPResponse? {
    if case .rejected(let response) = self { response } else { nil }
  }
}
