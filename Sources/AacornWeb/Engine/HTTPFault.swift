/// Why the bytes of a client are not taken for a request; nothing after them is read.
///
/// Where one program reads bytes in one way and another in another, a request can be hidden inside
/// another's (RFC 9112 11.2), so whatever the grammar does not allow is a fault.
struct HTTPFault: Error, Equatable {
  /// The status of the answer to it (RFC 9110 15).
  let status: Int
  /// What is wrong, as a sentence.
  let sentence: String

  init(_ sentence: String, status: Int = 400) {
    self.status = status
    self.sentence = sentence
  }

  /// A carriage return or a line feed without the other (RFC 9112 2.2).
  static let loneLineEnd = HTTPFault("A line ends in an unusual way.")
  /// More empty lines before a request than anybody sends (RFC 9112 2.2).
  static let emptyLines = HTTPFault("It begins with empty lines.")
  /// RFC 9112 3.
  static let firstLine = HTTPFault("Its first line is not that of a request.")
  /// A method that is no token (RFC 9110 9.1).
  static let method = HTTPFault("Its method contains invalid characters.")
  /// RFC 9112 3.2.
  static let target = HTTPFault("Its address contains invalid characters.")
  /// RFC 9110 15.6.6.
  static let version = HTTPFault("Only HTTP/1.1 and HTTP/1.0 are spoken here.", status: 505)
  /// RFC 9110 15.5.15.
  static let longTarget = HTTPFault("Its address is too long.", status: 414)
  /// RFC 6585 5.
  static let longHead = HTTPFault("Its headers are too long.", status: 431)
  /// A line that goes on from the one before, or a blank before the first (RFC 9112 2.2, 5.2).
  static let folded = HTTPFault("A line of its headers begins with a blank.")
  /// RFC 9112 5.
  static let noColon = HTTPFault("A line of its headers has no colon.")
  /// RFC 9112 5.1, which also forbids blanks before the colon.
  static let name = HTTPFault("The name of a header is invalid.")
  /// RFC 9110 5.5.
  static let value = HTTPFault("A header contains invalid characters.")
  /// RFC 9112 7.1.
  static let chunk = HTTPFault("The body is not divided as it should be.")
}
