#if !canImport(Network)
import AacornRecording
import AacornSystem
import CAacornCurl

/// A connection to a web server through the system's libcurl, which encrypts.
///
/// The connection belongs to one thread at a time.
@safe
final class HTTPConnection {
  private let connection: OpaquePointer
  private let socket: Int32
  private let authority: String
  /// The time limit for a silent server.
  private var timeouts: HTTPTimeouts
  /// The interruption that ends a wait.
  var interruption: Interruption
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// The maximum duration of a single wait that cannot be interrupted, in milliseconds.
  private static let pollMilliseconds = 50

  /// Connects to a server, with certificate checks.
  ///
  /// A raised interruption ends the wait.
  init(
    to address: HTTPAddress, _ options: HTTPTransferOptions, _ interruption: Interruption
  ) throws(AACFileError) {
    System.blockPipeSignal()
    let authority = address.authority
    guard let curl = unsafe aacorn_curl() else {
      throw Self.libraryMissing(unsafe String(cString: aacorn_curl_reason()))
    }
    guard
      let connection = unsafe aacorn_curl_start(
        curl, address.server, options.certificateFile, nil,
        System.simulatedSocket(of: address.host, port: address.port),
        options.silenceTimeout.millisecondsToWait)
    else { throw Self.failure(authority, "libcurl cannot be initialized") }
    let deadline = System.nanoseconds + options.silenceTimeout.nanoseconds
    while true {
      let result = Int(unsafe aacorn_curl_continue(connection, -1, Int32(Self.pollMilliseconds)))
      if result == AACORN_CURL_OK { break }
      let errorText = unsafe String(cString: aacorn_curl_error_text(connection))
      if let signal = interruption.signal {
        unsafe aacorn_curl_close(connection)
        throw AACFileError(signal: signal)
      }
      if result != AACORN_CURL_AGAIN || System.nanoseconds > deadline {
        unsafe aacorn_curl_close(connection)
        throw Self.failure(authority, errorText.isEmpty ? "it does not answer" : errorText)
      }
    }
    let socket = unsafe aacorn_curl_socket(connection)
    if socket < 0 {
      unsafe aacorn_curl_close(connection)
      throw Self.failure(authority, "the connection broke")
    }
    unsafe self.connection = unsafe connection
    self.socket = socket
    self.authority = authority
    timeouts = HTTPTimeouts(options.silenceTimeout)
    self.interruption = interruption
  }

  deinit { unsafe aacorn_curl_close(connection) }

  /// Whether the server is in a private network or is this computer.
  var isPrivate: Bool { unsafe aacorn_curl_is_private(connection) != 0 }

  /// Returns the error for an unusable libcurl.
  ///
  /// `reason` is from the dynamic loader.
  static func libraryMissing(_ reason: String) -> AACFileError {
    let problem =
      System.isMissing("libcurl.so.4", accordingTo: reason)
      ? "which is not installed" : "which cannot be used (\(reason))"
    return AACFileError(
      .cannotRead, "Playback from the web needs the library libcurl.so.4, \(problem).",
      .text("On Debian it is in the package libcurl4."))
  }

  /// Sends all bytes.
  func send(_ bytes: [UInt8]) throws(AACFileError) {
    var offset = 0
    let deadline = timeouts.deadline
    while offset < bytes.count {
      var count = 0
      let result = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        return Int(unsafe aacorn_curl_send(connection, rest.baseAddress, rest.count, &count))
      }
      if result == AACORN_CURL_OK {
        offset += count
      } else if result == AACORN_CURL_AGAIN, System.nanoseconds < deadline {
        try wait(writing: true)
      } else {
        throw Self.failure(authority, "the connection broke")
      }
    }
  }

  /// Appends the next bytes.
  ///
  /// Returns false at the end of the connection.
  ///
  /// The wait ends at `limit`, because a server could send single bytes forever.
  func receive(
    into bytes: inout [UInt8], before limit: Int64
  ) throws(AACFileError) -> Bool {
    let deadline = min(timeouts.deadline, limit)
    while true {
      // Checked before every read, because with an endless flow of bytes there is no wait to
      // interrupt.
      if let signal = interruption.signal { throw AACFileError(signal: signal) }
      var count = 0
      let result = unsafe buffer.withUnsafeMutableBytes { buffer in
        Int(unsafe aacorn_curl_receive(connection, buffer.baseAddress, buffer.count, &count))
      }
      if result == AACORN_CURL_OK {
        bytes += buffer[..<count]
        timeouts.recordArrival()
        return count > 0
      }
      if result != AACORN_CURL_AGAIN { throw Self.failure(authority, "the connection broke") }
      if let reason = timeouts.reason(after: deadline) { throw Self.failure(authority, reason) }
      try wait(writing: false)
    }
  }

  private func wait(writing: Bool) throws(AACFileError) {
    if let signal = interruption.signal { throw AACFileError(signal: signal) }
    _ = System.wait(for: socket, writing: writing, orFor: nil, milliseconds: Self.pollMilliseconds)
  }
}
#endif
