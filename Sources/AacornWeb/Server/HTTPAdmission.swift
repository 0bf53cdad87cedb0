/// What to do with a request whose headers have arrived.
public enum HTTPAdmission: Sendable {
  /// Pass it to the handler, and treat its client as a guest, for whom places are reserved.
  case asGuest
  /// Pass it to the handler, since anyone may request this, but its client remains a stranger that
  /// others may displace; its body must be short.
  case asStranger
  /// Answer with this, without reading the body.
  case refused(HTTPResponse)

  /// The answer to a request that is not admitted.
  public var refusal: HTTPResponse? {
    if case .refused(let response) = self { response } else { nil }
  }
}
