// swift-format-ignore-file
// Apple documents these declarations.

import Foundation
import Glibc

extension NWEndpoint.Host {
  public init(_ string: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, string, &bytes) == 1 {
      self = .ipv4(IPv4Address(rawValue: Data(bytes[..<4])))
    } else if inet_pton(AF_INET6, string, &bytes) == 1 {
      self = .ipv6(IPv6Address(rawValue: Data(bytes)))
    } else {
      self = .name(string, nil)
    }
  }

  /// The name, or the numeric address.
  var text: String {
    switch self {
    case .name(let name, _): name
    case .ipv4(let address): Self.text(AF_INET, address.rawValue)
    case .ipv6(let address): Self.text(AF_INET6, address.rawValue)
    }
  }

  private static func text(_ family: Int32, _ bytes: Data) -> String {
    var text = [CChar](repeating: 0, count: 64)
    inet_ntop(family, [UInt8](bytes), &text, 64)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }
}

extension NWEndpoint {
  /// Converts an address of the system.
  ///
  /// An IPv4 address mapped to IPv6 becomes an IPv4 address.
  init(_ address: sockaddr_storage) {
    let (bytes, port) = withUnsafeBytes(of: address) { memory in
      let port = UInt16(bigEndian: memory.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      let isOld = Int32(address.ss_family) == AF_INET
      return (isOld ? Data(memory[4..<8]) : Data(memory[8..<24]), port)
    }
    let mapping = [UInt8](repeating: 0, count: 10) + [255, 255]
    let host: Host =
      if bytes.count == 4 {
        .ipv4(IPv4Address(rawValue: bytes))
      } else if bytes.starts(with: mapping) {
        .ipv4(IPv4Address(rawValue: Data(bytes[12...])))
      } else {
        .ipv6(IPv6Address(rawValue: bytes))
      }
    self = .hostPort(host: host, port: Port(rawValue: port)!)
  }
}
