import AacornNetwork
import AacornRecording
import AacornSystem

/// A connection to a web server, with the error messages of playback.
///
/// The connection belongs to one thread at a time.
final class HTTPConnection {
  private let transport: SystemTransport
  private let address: HTTPAddress
  /// The maximum time that the server may be silent.
  private let silenceTimeout: Duration
  /// The time at which the last bytes arrived.
  private var arrival = System.nanoseconds
  /// The interruption that ends a wait.
  var interruption: Interruption {
    didSet { transport.stop = StopSignal(interruption) }
  }

  /// Connects to a server, with certificate checks.
  ///
  /// A raised interruption ends the wait.
  init(
    to address: HTTPAddress, _ options: HTTPTransferOptions, _ interruption: Interruption
  ) throws(AACFileError) {
    self.address = address
    silenceTimeout = options.silenceTimeout
    self.interruption = interruption
    transport = SystemTransport(StopSignal(interruption))
    var endpoint = address.endpoint
    endpoint.certificateFile = options.certificateFile
    try rethrow(as: fileError, transport.connect(to: endpoint, within: silenceTimeout))
  }

  /// The error text about a server that sends too few bytes.
  static let tooSlowReason = "it sends data too slowly"

  /// Whether the server is in a private network or is this computer.
  var isPrivate: Bool { transport.isPeerPrivate }

  /// Sends all bytes.
  func send(_ bytes: [UInt8]) throws(AACFileError) {
    try rethrow(as: fileError, transport.send(bytes, within: silenceTimeout))
  }

  /// Appends the next bytes.
  ///
  /// Returns false at the end of the connection.
  ///
  /// The wait ends at `limit`, because a server could send single bytes forever.
  func receive(
    into bytes: inout [UInt8], before limit: Int64
  ) throws(AACFileError) -> Bool {
    let deadline = min(System.nanoseconds + silenceTimeout.nanoseconds, limit)
    do throws(NetworkError) {
      let time = Duration.nanoseconds(max(0, deadline - System.nanoseconds))
      if try transport.receive(into: &bytes, within: time) {
        arrival = System.nanoseconds
        return true
      }
    } catch {
      if error.fault == .closed { return false }
      throw fileError(error)
    }
    let isSilent = System.nanoseconds - arrival >= silenceTimeout.nanoseconds
    throw address.failure(isSilent ? "it stopped sending data" : Self.tooSlowReason)
  }

  private func fileError(_ error: NetworkError) -> AACFileError {
    switch error.fault {
    case .stopped: AACFileError(signal: interruption.signal ?? System.interruptSignal)
    case .libraryMissing(let reason): Self.libraryMissing(reason)
    case .connecting(let reason): address.failure(reason)
    case .stalled: address.failure("it accepts no data")
    case .closed, .broken, nil: address.failure("the connection broke")
    }
  }

  /// Returns the error for an unusable libcurl.
  ///
  /// `reason` is from the dynamic loader.
  private static func libraryMissing(_ reason: String) -> AACFileError {
    let problem =
      System.isMissing("libcurl.so.4", accordingTo: reason)
      ? "which is not installed" : "which cannot be used (\(reason))"
    return AACFileError(
      .cannotRead, "Playback from the web needs the library libcurl.so.4, \(problem).",
      suggestion: .text("On Debian it is in the package libcurl4."))
  }
}
