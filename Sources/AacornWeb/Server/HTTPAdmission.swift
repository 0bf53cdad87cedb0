/// What is to become of a request whose headers have come.
public enum HTTPAdmission: Sendable {
  /// It goes to the handler, and its client is one for whom places are kept.
  case asGuest
  /// It goes to the handler, as whoever comes may ask for that, and its client stays one of those
  /// that push out each other; its body may have few bytes.
  case asStranger
  /// It is answered by this, and its body is not read.
  case refused(HTTPResponse)

  /// The answer to a request that is not let in.
  public var refusal: HTTPResponse? {
    if case .refused(let response) = self { response } else { nil }
  }
}
