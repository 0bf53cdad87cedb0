import AacornRecording
import AacornSystem

@testable import AacornPlayback

/// The data fetched from an address, byte for byte.
struct FetchedSound {
  let bytes: [UInt8]
  let titles: [String]
  let lost: [Duration]
  /// The error that ended the transfer permanently.
  let failure: AACFileError?
  let damage: String?
  let isLive: Bool

  /// Reads an address to its end, as a player does.
  init(_ address: String, _ options: HTTPTransferOptions = HTTPTransferOptions()) throws {
    guard let target = HTTPAddress(address) else { throw AACFileError(.badInput, address) }
    let titles = Lock<[String]>([])
    let lost = Lock<[Duration]>([])
    let source = try HTTPSource(
      target, options, opening: Interruption(),
      titles: { title in titles.withLock { $0.append(title) } },
      lost: { duration in lost.withLock { $0.append(duration) } })
    let pipe = try InputFile(source.path, interruption: Interruption())
    bytes = try pipe.readAll(limit: 1 << 26)
    self.titles = titles.withLock { $0 }
    self.lost = lost.withLock { $0 }
    failure = source.failure
    damage = source.damageMessage
    isLive = source.isLive
  }

  /// Returns the message of the error for an address, or nil if the transfer works.
  static func errorText(
    _ address: String, _ options: HTTPTransferOptions = HTTPTransferOptions()
  ) -> String? {
    do {
      _ = try FetchedSound(address, options)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

extension HTTPTransferOptions {
  /// Options that give up soon on a server that has responded: after one more attempt.
  static var shortTimeouts: HTTPTransferOptions {
    var options = HTTPTransferOptions(silenceTimeout: .seconds(2))
    options.attemptLimit = 1
    return options
  }
}
