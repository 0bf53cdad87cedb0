/// A violation of the RTMP format.
///
/// The connection adds the address of the server.
struct RTMPFault: Error, Equatable {
  /// The violation, as the end of a message.
  var text: String

  init(_ text: String) { self.text = text }
}
