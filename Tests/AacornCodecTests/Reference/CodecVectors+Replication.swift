import AacornCodec
import Foundation

extension CodecVectors {
  private struct Streams: Decodable {
    var streams: [Stream]
  }

  /// The streams with band replication from Fixtures/replication-vectors.json.
  static func replicationStreams() throws -> [Stream] {
    struct MissingFixture: Error {}
    guard
      let url = Bundle.module.url(
        forResource: "replication-vectors", withExtension: "json", subdirectory: "Fixtures")
    else { throw MissingFixture() }
    return try JSONDecoder().decode(Streams.self, from: Data(contentsOf: url)).streams
  }

  /// Returns the stream with band replication that has this name.
  static func replicationStream(_ name: String) throws -> Stream {
    struct NoSuchStream: Error {}
    guard let stream = try replicationStreams().first(where: { $0.name == name }) else {
      throw NoSuchStream()
    }
    return stream
  }
}
