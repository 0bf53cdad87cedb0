/// Where the studio is found and what it works on.
public struct StudioConfiguration: Sendable {
  /// An address of this machine, in numbers; `127.0.0.1` and `::1` let nobody else in.
  public var address: String
  /// The port; 0 is any free one.
  public var port: Int
  /// The folder with the recordings; it is made if it is not there.
  public var folder: String
  /// What a browser must know to be let in; nil lets in everybody who reaches the address.
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
}
