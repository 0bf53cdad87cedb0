import AacornRecording
import AacornSystem

@testable import AacornPlayback

/// What comes from an address, byte for byte.
struct FetchedSound {
  /// All the bytes.
  let bytes: [UInt8]
  /// What broadcasts have said of themselves.
  let titles: [String]
  /// How long the parts of a broadcast were that were lost.
  let lost: [Duration]
  /// Why it broke off for good.
  let failure: AACFileError?
  /// What is missing.
  let damage: String?
  let isLive: Bool

  /// Reads what is at an address to its end, as a player does.
  init(_ address: String, _ manner: HTTPManner = HTTPManner()) throws {
    guard let place = HTTPAddress(address) else { throw AACFileError(.badInput, address) }
    let titles = Lock<[String]>([])
    let lost = Lock<[Duration]>([])
    let source = try HTTPSource(
      place, manner, opening: Interruption(),
      titles: { title in titles.withLock { $0.append(title) } },
      lost: { duration in lost.withLock { $0.append(duration) } })
    let pipe = try InputFile(source.path, interruption: Interruption())
    bytes = try pipe.readAll(limit: 1 << 26)
    self.titles = titles.withLock { $0 }
    self.lost = lost.withLock { $0 }
    failure = source.failure
    damage = source.damageSentence
    isLive = source.isLive
  }

  /// Why nothing can be had from an address, as a sentence; nil if something can.
  static func refusal(_ address: String, _ manner: HTTPManner = HTTPManner()) -> String? {
    do {
      _ = try FetchedSound(address, manner)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

extension HTTPManner {
  /// Gives a server up soon that has answered: after one more attempt.
  static var hasty: HTTPManner {
    var manner = HTTPManner(silence: .seconds(2))
    manner.attemptLimit = 1
    return manner
  }
}
