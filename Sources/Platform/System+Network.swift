#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Tells the other end of a connection that nothing more comes, after all that was written.
  package static func finishWriting(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_WR)) }
}
