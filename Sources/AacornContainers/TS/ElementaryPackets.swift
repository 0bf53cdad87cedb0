/// Extracts the bytes of one stream from its packets (ISO/IEC 13818-1, 2.4.3.6).
struct ElementaryPackets: Sendable {
  /// The packet identifier (PID) of the stream.
  let identifier: Int

  private enum State: Sendable {
    /// Before the first PES packet.
    case waiting
    /// In the header of a PES packet.
    case header
    /// After the header of a PES packet.
    case data
  }

  private var state = State.waiting
  private var header: [UInt8] = []
  private var continuity: UInt8?
  /// The payload of the last packet, to recognize a repeated packet.
  private var last: [UInt8] = []
  private var hasData = false

  init(identifier: Int) {
    self.identifier = identifier
  }

  /// Reads the packet at the head of a buffer.
  mutating func process(
    _ packet: TransportPacket, in buffer: StreamBuffer,
    into events: inout [TransportStreamReader.Event]
  ) {
    guard !packet.payload.isEmpty else {
      if packet.isDiscontinuous { continuity = nil }
      return
    }
    let payload = buffer.copy(packet.payload)
    if let continuity, !packet.isDiscontinuous {
      if packet.continuity == continuity, payload == last { return }
      if packet.continuity != (continuity + 1) & 15 {
        events.append(Self.damage(.missingPackets, at: buffer.offset, length: 0))
        // The remainder of the header is unknown. The sync words of the frames restore
        // synchronization.
        if case .header = state { state = .waiting }
      }
    }
    continuity = packet.continuity
    last = payload
    if packet.isScrambled {
      reportEncryptedPacket(at: buffer.offset, into: &events)
      state = .waiting
      return
    }
    if packet.startsUnit {
      header.removeAll(keepingCapacity: true)
      state = .header
    }
    let end = buffer.offset &+ TransportPacket.byteCount
    switch state {
    case .waiting: break
    case .header: readHeader(payload, endingAt: end, into: &events)
    case .data: emit(payload, endingAt: end, into: &events)
    }
  }

  /// Reads more of a PES header, which may be longer than a packet, and the data after it.
  ///
  /// The layout of the header:
  ///
  ///     start code 0x000001 24 | stream 8 | length 16
  ///     10 2 | scrambling 2 | … 4 | … 8 | length of the remaining header 8
  private mutating func readHeader(
    _ payload: [UInt8], endingAt end: Int, into events: inout [TransportStreamReader.Event]
  ) {
    header += payload
    guard header.count >= 9 else { return }
    guard header[0] == 0, header[1] == 0, header[2] == 1, header[6] >> 6 == 2 else {
      state = .waiting
      let start = end &- payload.count
      events.append(Self.damage(.invalidHeader, at: start, length: payload.count))
      return
    }
    let length = 9 + Int(header[8])
    guard header.count >= length else { return }
    let isScrambled = header[6] & 0x30 != 0
    let data = Array(header[length...])
    header.removeAll(keepingCapacity: true)
    if isScrambled {
      state = .waiting
      return reportEncryptedPacket(at: end &- TransportPacket.byteCount, into: &events)
    }
    state = .data
    emit(data, endingAt: end, into: &events)
  }

  private mutating func emit(
    _ data: [UInt8], endingAt end: Int, into events: inout [TransportStreamReader.Event]
  ) {
    guard !data.isEmpty else { return }
    hasData = true
    events.append(.bytes(data, offset: end &- data.count))
  }

  /// Reports an encrypted packet: as an error if the stream has had no data, else as damage.
  private func reportEncryptedPacket(
    at offset: Int, into events: inout [TransportStreamReader.Event]
  ) {
    events.append(
      hasData
        ? Self.damage(.missingPackets, at: offset, length: TransportPacket.byteCount)
        : .failed(.encrypted))
  }

  private static func damage(
    _ kind: StreamDamage.Kind, at offset: Int, length: Int
  ) -> TransportStreamReader.Event {
    .damage(StreamDamage(kind: kind, offset: offset, length: length))
  }
}
