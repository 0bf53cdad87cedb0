@testable import AacornNetwork
@testable import AacornPlayback

/// Fuzzes responses of streaming servers to the player, in pieces, and the addresses in them.
func fuzzHTTP(_ bytes: [UInt8]) {
  let whole = read([bytes])
  let inPieces = read(pieces(of: bytes).map { Array($0) })
  require(whole == inPieces, "the sound depends on the pieces")
  require(whole.body.count <= bytes.count, "more audio than was received")
  if let playlist = HLSPlaylist(bytes) {
    require(playlist.firstNumber >= 0, "a negative segment number")
    require((1...60).contains(playlist.targetSeconds), "a target duration out of range")
    for segment in playlist.segments {
      require(segment.resource.range?.isEmpty != true, "an empty byte range")
    }
    _ = (playlist.variant(atMost: nil), playlist.variant(atMost: 64_000))
  }
  require(AddressList.first(in: bytes)?.isEmpty != true, "an empty address")
  let text = String(decoding: bytes, as: UTF8.self)
  guard text.utf8.count < 8000, let address = HTTPAddress(text) else { return }
  require((1...65_535).contains(address.endpoint.port), "a port out of range")
  require(address.target.hasPrefix("/"), "a target that is not a path")
  require(HTTPAddress(address.server + address.target) != nil, "an address that is invalid")
  _ = address.following("x?y")
  _ = address.following("//" + text)
}

/// The parsed parts of a response, up to the first fault.
private struct Reading: Equatable {
  var status: Int?
  var body: [UInt8] = []
  /// The last title.
  var title: String?
  var isFaulty = false
}

private func read(_ pieces: [[UInt8]]) -> Reading {
  var response = HTTPResponseParser()
  var reading = Reading()
  for piece in pieces where !reading.isFaulty {
    reading.isFaulty = !response.push(piece, into: &reading.body)
    reading.title = response.takeTitle() ?? reading.title
  }
  reading.status = response.status
  return reading
}
