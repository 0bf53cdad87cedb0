package import Foundation
import SoundRigs

/// Certificates for one test, created by `openssl` in a folder that this object removes.
package final class TestCertificates: Sendable {
  /// A certificate and its key, as files in PEM.
  package struct Identity: Sendable {
    package let certificate: String
    package let key: String
  }

  package let folder: URL

  /// The certificate of the authority that signs the other certificates.
  ///
  /// A client must trust it.
  package var authority: String { path("authority.pem") }
  /// The certificate of an authority that has signed none of the other certificates.
  package var foreignAuthority: String { path("stranger.pem") }
  /// A valid certificate for `localhost`, 127.0.0.1 and ::1.
  package var server: Identity { identity("server") }
  /// An expired certificate for `localhost`, 127.0.0.1 and ::1.
  package var expired: Identity { identity("expired") }
  /// A valid certificate for `elsewhere.example`, which is not a name of this computer.
  package var misnamed: Identity { identity("misnamed") }

  /// Creates all certificates, which takes a few tenths of a second.
  package init() throws {
    folder = try makeRigFolder(for: "certificates")
    try make()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func identity(_ name: String) -> Identity {
    Identity(certificate: path("\(name).pem"), key: path("\(name).key"))
  }

  private func make() throws {
    try """
    [req]
    distinguished_name = name
    [name]
    [authority]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign
    subjectKeyIdentifier = hash
    [here]
    subjectAltName = DNS:localhost, IP:127.0.0.1, IP:::1
    [elsewhere]
    subjectAltName = DNS:elsewhere.example
    [ca]
    default_ca = signer
    [signer]
    database = \(path("index"))
    new_certs_dir = \(folder.path)
    rand_serial = yes
    default_md = sha256
    policy = anything
    unique_subject = no
    [anything]
    commonName = supplied

    """.write(toFile: path("openssl.conf"), atomically: true, encoding: .utf8)
    try "".write(toFile: path("index"), atomically: true, encoding: .utf8)
    for name in ["authority", "stranger"] {
      try openssl(
        ["req", "-x509", "-days", "2", "-extensions", "authority", "-out", path("\(name).pem")]
          + request(name))
    }
    let present = ["-days", "2"]
    let past = ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"]
    try sign("server", extensions: "here", present)
    try sign("expired", extensions: "here", past)
    try sign("misnamed", extensions: "elsewhere", present)
  }

  /// Returns the arguments for a new key and a name.
  private func request(_ name: String) -> [String] {
    [
      "-config", path("openssl.conf"), "-newkey", "ec", "-pkeyopt",
      "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path("\(name).key"), "-subj",
      "/CN=Aacorn test \(name)",
    ]
  }

  private func sign(_ name: String, extensions: String, _ time: [String]) throws {
    try openssl(["req", "-out", path("\(name).request")] + request(name))
    try openssl(
      [
        "ca", "-batch", "-notext", "-config", path("openssl.conf"), "-extensions", extensions,
        "-cert", authority, "-keyfile", path("authority.key"), "-in", path("\(name).request"),
        "-out", path("\(name).pem"),
      ] + time)
  }

  private func openssl(_ arguments: [String]) throws {
    let program = try findProgram("openssl", package: "openssl")
    _ = try runProgram([program] + arguments, folder: folder)
  }
}
