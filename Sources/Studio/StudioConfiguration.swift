import Streaming

/// Where the studio is found and what it works on.
public struct StudioConfiguration: Sendable {
  /// An address of this machine, in numbers; `127.0.0.1` and `::1` let nobody else in.
  public var address: String
  /// The port; 0 is any free one.
  public var port: Int
  /// The folder with the recordings; it is made if it is not there.
  public var folder: String
  /// What a browser must know to be let in, which may not be empty.
  ///
  /// Where it is nil everybody on this machine is let in. Others never are: a server at an address
  /// that they can reach makes a new token for itself, which is in its ``StudioServer/url``.
  public var token: String?

  /// A studio for this machine alone.
  public init(folder: String, address: String = "127.0.0.1", port: Int = 0) {
    self.folder = folder
    self.address = address
    self.port = port
    token = nil
  }

  /// A token of 128 random bits that nobody has had before.
  public static func newToken() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    let token = (0..<32).map { _ in digits[Int(generator.next() & 15)] }
    return String(decoding: token, as: UTF8.self)
  }

  /// The configuration in which nobody is let in who should not be.
  func guarded() throws(StreamingError) -> StudioConfiguration {
    if token?.isEmpty == true {
      throw StreamingError(
        .unsupported,
        "The token of the studio is empty, which everybody knows. Give it another one, or none.")
    }
    var configuration = self
    if token == nil && !HostAddress.isLoopback(address) { configuration.token = Self.newToken() }
    return configuration
  }
}
