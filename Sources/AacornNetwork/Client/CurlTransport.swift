#if !canImport(Network)
import AacornSystem
import CAacornCurl

/// A transport over TCP, or over TLS with certificate checks, through the system's libcurl.
///
/// libcurl finds the server (IPv4 and IPv6, the faster one first), uses the configured proxy, and
/// encrypts. It is loaded at run time; without it, connections fail.
@safe
public final class CurlTransport: ByteTransport {
  /// Creates transports of this class.
  public static let factory: TransportFactory = { CurlTransport($0) }

  /// The signal that ends the waits.
  package var stop: StopSignal
  private var connection: OpaquePointer?
  private var socket: Int32 = -1
  /// The address of the server for messages.
  private var server = ""
  private var buffer = [UInt8](repeating: 0, count: 16_384)
  /// The current time limit of the system for missing acknowledgments; 0 if not set.
  private var silenceTimeout = Duration.zero
  /// The number of bytes that the current call of `send` has sent.
  private var partialByteCount = 0

  /// The requested maximum number of unsent bytes in the system's buffer, from the next connection
  /// on.
  ///
  /// More than some seconds of audio would add delay, and a stalled server would be detected late.
  /// Linux doubles the number, and small pieces reduce the usable part.
  public var unsentLimit = 65_536
  /// The number of unacknowledged bytes of complete pieces when the last connection ended.
  public private(set) var unacknowledgedByteCount = 0

  /// The additional time of the system's limit, so that the error of `send`, which is more
  /// informative, occurs first.
  private static let silenceTimeoutMargin = Duration.seconds(1)

  /// The functions of libcurl, prepared for use, or the reason why they cannot be used.
  private nonisolated(unsafe) static let library:
    Result<UnsafeMutablePointer<aacorn_curl_functions>, NetworkError> =
      unsafe load("libcurl.so.4")
      // This file uses another TLS library, GnuTLS. Some systems have only this file. The reported
      // reason is about the first file, the default one.
      .flatMapError { fault in unsafe load("libcurl-gnutls.so.4").mapError { _ in fault } }
      .mapError { .libraryMissing($0.text) }
      .flatMap { functions in
        unsafe Int(functions.pointee.global_init(AACORN_CURL_GLOBAL_ALL)) == AACORN_CURL_OK
          ? .success(functions) : .failure(.libraryMissing("it cannot be prepared for use"))
      }

  static func load(
    _ file: String
  ) -> Result<UnsafeMutablePointer<aacorn_curl_functions>, LibraryFault> {
    unsafe System.loadLibrary(file, symbols: aacorn_curl_symbols())
  }

  /// Creates a transport whose waits end when the signal is raised.
  public init(_ stop: StopSignal) { self.stop = stop }

  deinit { close() }

  /// Connects to a server within a time limit, which includes certificate checks.
  ///
  /// The stop signal ends the wait soon, except that libcurl before 7.87 may wait for an
  /// unresponsive name server.
  public func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError) {
    // A disconnected server must cause an error of a call, not terminate the process with SIGPIPE.
    System.blockPipeSignal()
    close()
    unacknowledgedByteCount = 0
    silenceTimeout = .zero
    server = endpoint.description
    let curl = try unsafe Self.library.get()
    guard let url = endpoint.url else {
      throw .noAddress(endpoint)
    }
    guard
      let connection = unsafe aacorn_curl_start(
        curl, url, endpoint.certificateFile, endpoint.proxy,
        System.simulatedSocket(of: endpoint.host, port: endpoint.port),
        Int(Int32(clamping: time.millisecondsToWait)))
    else { throw .libraryMissing("it cannot be initialized") }
    unsafe self.connection = connection
    let deadline = Deadline(after: time)
    while true {
      if stop.isRaised { throw fail(.stopped(server)) }
      let result = Int(
        unsafe aacorn_curl_continue(
          connection, stop.descriptor ?? -1,
          Int32(clamping: stop.milliseconds(upTo: deadline.remaining))
        ))
      if result == AACORN_CURL_OK { break }
      if result != AACORN_CURL_AGAIN {
        throw fail(unsafe .connecting(to: endpoint, time, result, connection))
      }
      if deadline.hasPassed { throw fail(.noAnswer(server, time)) }
    }
    socket = unsafe aacorn_curl_socket(connection)
    guard socket >= 0 else { throw fail(.broken(server)) }
    unsafe aacorn_curl_limit_unsent(connection, Int32(clamping: unsentLimit))
  }

  /// Sends all bytes.
  ///
  /// Throws `.timeout` after this time without any progress.
  public func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError) {
    limitSilence(to: time)
    partialByteCount = 0
    defer { partialByteCount = 0 }
    var deadline = Deadline(after: time)
    while partialByteCount < bytes.count {
      if stop.isRaised { throw fail(.stopped(server)) }
      let connection = try unsafe requireConnection()
      var count = 0
      let result = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[partialByteCount...])
        return Int(unsafe aacorn_curl_send(connection, rest.baseAddress, rest.count, &count))
      }
      if result == AACORN_CURL_OK {
        partialByteCount += count
        deadline = Deadline(after: time)
      } else if deadline.hasPassed {
        throw fail(.stalled(server, time))
      } else if result != AACORN_CURL_AGAIN {
        throw fail(.broken(server))
      } else {
        wait(writing: true, deadline.remaining)
      }
    }
  }

  /// Limits the time without acknowledgments, so that the system detects a broken network, too: it
  /// may buffer seconds of audio before `send` has to wait at all.
  private func limitSilence(to time: Duration) {
    guard time != silenceTimeout, time > .zero, let connection = unsafe connection else { return }
    silenceTimeout = time
    unsafe aacorn_curl_limit_silence(
      connection, UInt32(clamping: (time + Self.silenceTimeoutMargin).millisecondsToWait))
  }

  /// Appends received bytes to `bytes`.
  ///
  /// Waits at most `time` for them.
  ///
  /// One call appends at most 16 KiB, so that a flood from the server does not delay the caller.
  /// More bytes may be available.
  public func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool {
    let deadline = Deadline(after: time)
    while true {
      if stop.isRaised { throw fail(.stopped(server)) }
      // The library may hold decrypted bytes that the socket does not signal, so it is read before
      // every wait.
      if try receiveAvailable(into: &bytes) { return true }
      if deadline.hasPassed { return false }
      wait(writing: false, deadline.remaining)
    }
  }

  /// Closes the connection.
  ///
  /// May be called at any time, more than once.
  ///
  /// The TLS close message must not be sent: Icecast 2.4.4 does not treat it as the end of the
  /// source, and keeps the mount until a timeout. The end of the TCP connection suffices.
  public func close() {
    System.blockPipeSignal()
    if let connection = unsafe connection {
      if socket >= 0 {
        let count = Int(unsafe aacorn_curl_unacknowledged(connection))
        unacknowledgedByteCount = max(0, count - partialByteCount)
        System.finishWriting(socket)
      }
      unsafe aacorn_curl_close(connection)
    }
    unsafe connection = nil
    socket = -1
  }

  /// Appends available bytes without waiting.
  ///
  /// Returns false if there are none.
  private func receiveAvailable(into bytes: inout [UInt8]) throws(NetworkError) -> Bool {
    let connection = try unsafe requireConnection()
    var count = 0
    let result = unsafe buffer.withUnsafeMutableBytes { buffer in
      Int(unsafe aacorn_curl_receive(connection, buffer.baseAddress, buffer.count, &count))
    }
    if result == AACORN_CURL_AGAIN { return false }
    if result != AACORN_CURL_OK { throw fail(.broken(server)) }
    if count == 0 { throw fail(.closed(server)) }
    bytes += buffer[..<count]
    return true
  }

  /// Whether the server is in a private network or is this computer.
  package var isPeerPrivate: Bool {
    System.peerAddress(of: socket).map(PrivateHosts.contain) ?? false
  }

  private func requireConnection() throws(NetworkError) -> OpaquePointer {
    guard let connection = unsafe connection, socket >= 0 else { throw .closed(server) }
    return unsafe connection
  }

  /// Closes the connection after an error, because the received part of the last piece is unknown.
  ///
  /// Returns the error.
  private func fail(_ error: NetworkError) -> NetworkError {
    close()
    return error
  }

  private func wait(writing: Bool, _ time: Duration) {
    _ = System.wait(
      for: socket, writing: writing, orFor: stop.descriptor,
      milliseconds: stop.milliseconds(upTo: time))
  }
}
#endif
