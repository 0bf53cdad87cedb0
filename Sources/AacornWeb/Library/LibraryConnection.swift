#if !canImport(Network)
import CAacornMicroHTTPD

/// A connection of libmicrohttpd.
@safe
struct LibraryConnection: HTTPConnection, @unchecked Sendable {
  // Unchecked because of the pointer, which is valid until the library reports the end of the
  // request. The exchange uses it only until then, under its lock.

  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  private var socket: Int32 { unsafe aacorn_mhd_socket(pointer) }

  func suspend() { unsafe aacorn_mhd_suspend(pointer) }

  func resume() { unsafe aacorn_mhd_resume(pointer) }

  var presence: ConnectionProbe { ConnectionProbe(of: socket) }

  func probeSilence() { aacorn_mhd_probe_silence(socket) }

  func disconnect() { aacorn_mhd_cut(socket) }
}

extension ConnectionProbe {
  /// Determines the presence of the client of a socket that no other thread is reading.
  fileprivate init(of socket: Int32) {
    self =
      switch aacorn_mhd_client_presence(socket) {
      case AACORN_MHD_GONE: .gone
      case AACORN_MHD_FINISHED: .finished
      default: .present
      }
  }
}

extension ConnectionLimiter.ClientSnapshot {
  init(of socket: Int32) {
    var count: UInt64 = 0
    if unsafe aacorn_mhd_received_count(socket, &count) != 0 { receivedCount = count }
    hasFinished = ConnectionProbe(of: socket) != .present
  }
}
#endif
