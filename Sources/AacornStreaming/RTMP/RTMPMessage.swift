/// A complete message.
///
/// It is split into chunks for transmission.
struct RTMPMessage: Equatable, Sendable {
  /// The type of a message (RTMP 5.4, 6.2, 7.1).
  struct Kind: RawRepresentable, Equatable, Sendable {
    let rawValue: UInt8

    static let setChunkSize = Kind(rawValue: 1)
    static let abort = Kind(rawValue: 2)
    static let acknowledgement = Kind(rawValue: 3)
    static let userControl = Kind(rawValue: 4)
    static let windowAcknowledgementSize = Kind(rawValue: 5)
    static let setPeerBandwidth = Kind(rawValue: 6)
    static let audio = Kind(rawValue: 8)
    /// A command whose first byte states the format of the remaining bytes.
    static let extendedCommand = Kind(rawValue: 17)
    static let data = Kind(rawValue: 18)
    static let command = Kind(rawValue: 20)
  }

  var kind: Kind
  /// The message stream within the connection; 0 is the connection itself.
  var streamID: UInt32 = 0
  /// The time in milliseconds, modulo 2³².
  var timestamp: UInt32 = 0
  var payload: [UInt8]
}

extension RTMPMessage {
  /// Creates a control message with one number (RTMP 5.4).
  static func control(_ kind: Kind, _ number: UInt32) -> RTMPMessage {
    var payload: [UInt8] = []
    payload.append(bigEndian: number)
    return RTMPMessage(kind: kind, payload: payload)
  }

  /// Creates the response to a ping: event 7 with the time of the ping (RTMP 7.1.7).
  static func pingResponse(_ time: UInt32) -> RTMPMessage {
    var payload: [UInt8] = [0, 7]
    payload.append(bigEndian: time)
    return RTMPMessage(kind: .userControl, payload: payload)
  }

  /// The number in a control message; nil if the payload is too short.
  var number: UInt32? {
    payload.count >= 4 ? UInt32(payload.bigEndian(at: 0, byteCount: 4)) : nil
  }

  /// The server's time in a ping, to be sent back (user control event 6, RTMP 7.1.7); nil for other
  /// messages.
  var pingTime: UInt32? {
    guard kind == .userControl, payload.count >= 6, payload[0] == 0, payload[1] == 6 else {
      return nil
    }
    return UInt32(payload.bigEndian(at: 2, byteCount: 4))
  }
}

/// A violation of the RTMP format.
///
/// The connection adds the address of the server.
struct RTMPFault: Error, Equatable {
  /// The violation, as the end of a message.
  var text: String

  init(_ text: String) { self.text = text }
}
