/// Why bytes are not RTMP; the connection adds whose bytes they were.
struct RTMPFault: Error, Equatable {
  /// What is wrong, as the end of a sentence.
  var words: String

  init(_ words: String) { self.words = words }
}
