#if !canImport(Network)
import CAacornMicroHTTPD

/// A connection of libmicrohttpd.
@safe
struct LibraryConnection: HTTPConnection, @unchecked Sendable {
  // Unchecked because of the pointer, which is valid until the library says that the request is
  // over. The exchange uses it under its lock and not after that.

  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  private var socket: Int32 { unsafe aacorn_mhd_socket(pointer) }

  func suspend() { unsafe aacorn_mhd_suspend(pointer) }

  func resume() { unsafe aacorn_mhd_resume(pointer) }

  var presence: HTTPPresence { HTTPPresence(of: socket) }

  func probeSilence() { aacorn_mhd_probe_silence(socket) }

  func cut() { aacorn_mhd_cut(socket) }
}

extension HTTPPresence {
  /// The state of the client at the other end of a socket that nobody else is reading.
  fileprivate init(of socket: Int32) {
    self =
      switch aacorn_mhd_client_presence(socket) {
      case AACORN_MHD_GONE: .gone
      case AACORN_MHD_FINISHED: .finished
      default: .present
      }
  }
}

extension HTTPPlaces.Glance {
  init(of socket: Int32) {
    var count: UInt64 = 0
    if unsafe aacorn_mhd_received_count(socket, &count) != 0 { receivedCount = count }
    hasFinished = HTTPPresence(of: socket) != .present
  }
}
#endif
