#if !canImport(Network)
import AacornSystem
public import AacornWeb
import CAacornCurl

/// Bytes over TCP, or over TLS with certificate checks, through the system's libcurl.
///
/// libcurl finds the server (IPv4 and IPv6, the faster one first), uses a proxy where there is one,
/// and encrypts. It is loaded at run time; without it there are no connections.
@safe
public final class CurlTransport: ByteTransport {
  /// Makes transports of this kind.
  public static let factory: TransportFactory = { CurlTransport($0) }

  private let stop: StopSignal
  private var connection: OpaquePointer?
  private var socket: Int32 = -1
  /// The server as named in messages.
  private var place = ""
  private var buffer = [UInt8](repeating: 0, count: 16_384)
  /// How long the system tolerates missing acknowledgments; 0 if not set.
  private var patience = Duration.zero
  /// How many bytes the current call of `send` has sent.
  private var partialByteCount = 0

  /// How many sent bytes the system may hold, from the next connection on.
  ///
  /// More than some seconds of audio would add delay, and a server that accepts nothing would be
  /// noticed late. It is a request: Linux takes twice as much, and less fits if the pieces are
  /// small.
  public var unsentLimit = 65_536
  /// How many bytes of whole pieces were unacknowledged when the last connection ended.
  public private(set) var unacknowledgedByteCount = 0

  /// How much longer than `send`, whose errors say more, the system waits.
  private static let extraPatience = Duration.seconds(1)
  /// The longest single wait that the stop signal cannot end, in milliseconds.
  private static let longestWait = 50

  /// Creates a transport whose waits end when the signal is raised.
  public init(_ stop: StopSignal) { self.stop = stop }

  deinit { close() }

  /// Connects, including certificate checks, within this time.
  ///
  /// The stop signal ends this soon as well, except that a libcurl before 7.87 may wait for a
  /// silent name server.
  public func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError) {
    // A server that goes away must be an error of a call, not the end of the program.
    System.blockPipeSignal()
    close()
    unacknowledgedByteCount = 0
    patience = .zero
    place = endpoint.description
    guard let curl = unsafe aacorn_curl() else {
      throw .libraryMissing(unsafe String(cString: aacorn_curl_reason()))
    }
    guard let url = endpoint.url else {
      throw .noAddress(endpoint)
    }
    guard
      let connection = unsafe aacorn_curl_start(
        curl, url, endpoint.certificateFile, endpoint.proxy,
        Int(Int32(clamping: time.millisecondsToWait)))
    else { throw .libraryMissing("it cannot be prepared for use") }
    unsafe self.connection = connection
    let deadline = Deadline(after: time)
    while true {
      if stop.isRaised { throw fail(.stopped(place)) }
      let result = Int(
        unsafe aacorn_curl_go_on(
          connection, stop.descriptor ?? -1, Int32(clamping: milliseconds(upTo: deadline.rest))))
      if result == AACORN_CURL_OK { break }
      if result != AACORN_CURL_AGAIN {
        throw fail(unsafe .connecting(to: endpoint, time, result, connection))
      }
      if deadline.isOver { throw fail(.noAnswer(place, time)) }
    }
    socket = unsafe aacorn_curl_socket(connection)
    guard socket >= 0 else { throw fail(.broken(place)) }
    unsafe aacorn_curl_limit_unsent(connection, Int32(clamping: unsentLimit))
  }

  /// Sends all the bytes; throws `.timeout` after this time without any progress.
  public func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError) {
    limitSilence(to: time)
    partialByteCount = 0
    defer { partialByteCount = 0 }
    var deadline = Deadline(after: time)
    while partialByteCount < bytes.count {
      if stop.isRaised { throw fail(.stopped(place)) }
      let connection = try unsafe present()
      var count = 0
      let result = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[partialByteCount...])
        return Int(unsafe aacorn_curl_send(connection, rest.baseAddress, rest.count, &count))
      }
      if result == AACORN_CURL_OK {
        partialByteCount += count
        deadline = Deadline(after: time)
      } else if deadline.isOver {
        throw fail(.stalled(place, time))
      } else if result != AACORN_CURL_AGAIN {
        throw fail(.broken(place))
      } else {
        wait(writing: true, deadline.rest)
      }
    }
  }

  /// Makes the system detect a broken network as well, since it may buffer seconds of audio before
  /// `send` has to wait at all.
  private func limitSilence(to time: Duration) {
    guard time != patience, time > .zero, let connection = unsafe connection else { return }
    patience = time
    unsafe aacorn_curl_limit_silence(
      connection, UInt32(clamping: (time + Self.extraPatience).millisecondsToWait))
  }

  /// Appends received bytes to `bytes`, after waiting for at most this time.
  ///
  /// At most 16 KiB at a time, so that a flood from the server delays nothing; there may be more.
  public func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool {
    let deadline = Deadline(after: time)
    while true {
      if stop.isRaised { throw fail(.stopped(place)) }
      // Decrypted bytes may wait in the library, where the socket does not show them; so it is
      // checked before every wait.
      if try receiveWhatIsThere(into: &bytes) { return true }
      if deadline.isOver { return false }
      wait(writing: false, deadline.rest)
    }
  }

  /// Closes; may be called at any time, more than once.
  ///
  /// TLS's closing message must not be sent: Icecast 2.4.4 does not treat it as the end of the
  /// source, and keeps the mount until it has timed out. The end of the TCP connection suffices.
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

  /// Returns false if there is nothing.
  private func receiveWhatIsThere(into bytes: inout [UInt8]) throws(NetworkError) -> Bool {
    let connection = try unsafe present()
    var count = 0
    let result = unsafe buffer.withUnsafeMutableBytes { buffer in
      Int(unsafe aacorn_curl_receive(connection, buffer.baseAddress, buffer.count, &count))
    }
    if result == AACORN_CURL_AGAIN { return false }
    if result != AACORN_CURL_OK { throw fail(.broken(place)) }
    if count == 0 { throw fail(.closed(place)) }
    bytes += buffer[..<count]
    return true
  }

  private func present() throws(NetworkError) -> OpaquePointer {
    guard let connection = unsafe connection, socket >= 0 else { throw .closed(place) }
    return unsafe connection
  }

  /// After an error nothing more can be sent: how much of the last piece arrived is unknown.
  private func fail(_ error: NetworkError) -> NetworkError {
    close()
    return error
  }

  private func wait(writing: Bool, _ time: Duration) {
    _ = System.wait(
      for: socket, writing: writing, orFor: stop.descriptor, milliseconds: milliseconds(upTo: time))
  }

  /// How long to wait at a time.
  private func milliseconds(upTo time: Duration) -> Int {
    let milliseconds = time.millisecondsToWait
    return stop.descriptor == nil ? min(milliseconds, Self.longestWait) : milliseconds
  }
}
#endif
