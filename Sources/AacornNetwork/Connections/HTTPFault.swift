/// The reason why the bytes of a client are not a request.
///
/// Nothing after them is read.
///
/// If two programs interpret bytes differently, a request can be hidden inside another one (RFC
/// 9112 11.2). So every violation of the grammar is a fault.
struct HTTPFault: Error, Equatable {
  /// The status of the response (RFC 9110 15).
  let status: Int
  /// The violation, as a message.
  let message: String

  init(_ message: String, status: Int = 400) {
    self.status = status
    self.message = message
  }

  /// A carriage return or a line feed without its counterpart (RFC 9112 2.2).
  static let bareLineEnd = HTTPFault("A line does not end with CR LF.")
  /// More empty lines before a request than any client sends (RFC 9112 2.2).
  static let emptyLines = HTTPFault("It begins with empty lines.")
  /// An invalid request line (RFC 9112 3).
  static let firstLine = HTTPFault("Its first line is not a valid request line.")
  /// A method that is not a token (RFC 9110 9.1).
  static let method = HTTPFault("Its method contains invalid characters.")
  /// An invalid request target (RFC 9112 3.2).
  static let target = HTTPFault("Its address contains invalid characters.")
  /// An unsupported version (RFC 9110 15.6.6).
  static let version = HTTPFault("Only HTTP/1.1 and HTTP/1.0 are supported.", status: 505)
  /// A request target beyond the limit (RFC 9110 15.5.15).
  static let longTarget = HTTPFault("Its address is too long.", status: 414)
  /// Headers beyond the limit (RFC 6585 5).
  static let longHead = HTTPFault("Its headers are too long.", status: 431)
  /// A line that continues the previous one, or a blank before the first header (RFC 9112 2.2,
  /// 5.2).
  static let folded = HTTPFault("A header line begins with a space or tab.")
  /// A header without a colon (RFC 9112 5).
  static let noColon = HTTPFault("A header line has no colon.")
  /// An invalid header name (RFC 9112 5.1, which also forbids blanks before the colon).
  static let name = HTTPFault("The name of a header is invalid.")
  /// An invalid header value (RFC 9110 5.5).
  static let value = HTTPFault("A header contains invalid characters.")
  /// Invalid chunked encoding (RFC 9112 7.1).
  static let chunk = HTTPFault("The chunked encoding of the body is invalid.")
}
