import AacornSystem
import Foundation
import SoundRigs

/// A proxy that terminates TLS and forwards the bytes to an unencrypted local port.
///
/// It is a Python program that ends with this object or with the test's process.
package final class TLSServer {
  package let port: Int
  private let process = Process()
  /// The standard input of the program, which exits when the pipe closes.
  private let lifeline = Pipe()

  /// Starts a proxy with a certificate in front of the port `target` of this computer.
  package init(_ identity: TestCertificates.Identity, to target: Int) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try findProgram("python3", package: "python3"))
    process.arguments = ["-c", Self.program, identity.certificate, identity.key, "\(target)"]
    process.standardInput = lifeline
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw RigFailure("The Python program that takes TLS off does not start.")
    }
    self.port = port
  }

  deinit { stop() }

  package func stop() {
    try? lifeline.fileHandleForWriting.close()
    if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  private static let program = """
    import os, select, socket, ssl, sys, threading

    def watch():
        sys.stdin.read()
        os._exit(0)

    def serve(plain):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        try:
            client = context.wrap_socket(plain, server_side=True)
            server = socket.create_connection(("127.0.0.1", int(sys.argv[3])))
        except OSError:
            plain.close()
            return
        # One thread for both directions, since one TLS object may not be used by two.
        while True:
            if not client.pending():
                ready = select.select([client, server], [], [])[0]
            else:
                ready = [client]
            try:
                for source in ready:
                    data = source.recv(16384)
                    if not data:
                        client.close()
                        server.close()
                        return
                    (server if source is client else client).sendall(data)
            except OSError:
                client.close()
                server.close()
                return

    threading.Thread(target=watch, daemon=True).start()
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection = listener.accept()[0]
        threading.Thread(target=serve, args=(connection,), daemon=True).start()
    """
}
