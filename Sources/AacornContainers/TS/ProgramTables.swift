/// The tables of a transport stream, and the AAC stream chosen from them.
///
/// The program association table contains the PIDs of the program maps. A program map contains the
/// PIDs of the program's streams (ISO/IEC 13818-1, 2.4.4.3 and 2.4.4.8).
struct ProgramTables: Sendable {
  /// An AAC stream.
  struct Stream: Equatable, Sendable {
    /// The packet identifier (PID).
    var identifier: Int
    var framing: FramingProbe.Framing
  }

  /// The result of reading a table.
  enum Outcome {
    /// The stream to read from here on.
    case stream(Stream)
    /// There is no suitable stream.
    case failure(CodedFileError)
  }

  private struct Program: Sendable {
    var number: Int
    var identifier: Int
    var isRead = false
  }

  private struct Source: Sendable {
    var identifier: Int
    var sections = SectionReader()
  }

  private let wantedStream: Int
  private var version: UInt8?
  /// Whether one section contains all programs.
  private var isSingleSection = false
  private var programs: [Program] = []
  /// The sources of sections: the association table, then each program map.
  private var sources = [Source(identifier: 0)]
  private var chosen: (program: Int, stream: Stream)?
  /// The program of the chosen stream.
  private(set) var program: TransportProgram?
  private var streamCount = 0
  private var foreignType: UInt8?
  private var isEncrypted = false

  /// The maximum number of programs, above the capacity of the longest section.
  private static let programLimit = 256

  /// Creates empty tables; `track` counts AAC streams from 1, in the order of the program maps.
  init(track: Int?) {
    wantedStream = track ?? 1
  }

  var programCount: Int { programs.count }

  /// The reason why no stream can be read, if no further table arrives.
  var failure: CodedFileError {
    if isEncrypted { return .encrypted }
    if streamCount == 0, let foreignType { return .unsupportedCodec(.streamType(foreignType)) }
    return .noAudioTrack(found: streamCount)
  }

  /// Reads the packet at the head of a buffer, which may not belong to a table.
  mutating func process(_ packet: TransportPacket, in buffer: StreamBuffer) -> Outcome? {
    for index in sources.indices where sources[index].identifier == packet.identifier {
      var outcome: Outcome?
      for section in sources[index].sections.append(packet, in: buffer) {
        // Both kinds of tables have a version and a flag, `current_next_indicator`, that is 0 for a
        // table that is not in effect yet.
        guard section.count >= 12, section[1] & 0x80 != 0, section[5] & 1 != 0 else { continue }
        if packet.identifier == 0 {
          readAssociation(section)
          // Reading the association table may have changed `sources`, so the loop cannot continue.
          return nil
        }
        outcome = readMap(section, identifier: packet.identifier) ?? outcome
      }
      return outcome
    }
    return nil
  }

  private mutating func readAssociation(_ section: [UInt8]) {
    guard section[0] == 0 else { return }
    let version = section[5] >> 1 & 31
    if version != self.version {
      self.version = version
      isSingleSection = section[7] == 0
      programs.removeAll()
      sources.removeSubrange(1...)
      if chosen == nil { streamCount = 0 }
    }
    var position = 8
    while position + 4 <= section.count - 4, programs.count < Self.programLimit {
      let number = Int(section[position..<position + 2].number())
      let identifier = Self.identifier(section, at: position + 2)
      position += 4
      // The entry with number 0 is not a program: it contains the PID of the network information.
      guard number != 0, !programs.contains(where: { $0.number == number }) else { continue }
      programs.append(Program(number: number, identifier: identifier))
      if !sources.contains(where: { $0.identifier == identifier }) {
        sources.append(Source(identifier: identifier))
      }
    }
  }

  private mutating func readMap(_ section: [UInt8], identifier: Int) -> Outcome? {
    let number = Int(section[3..<5].number())
    guard section[0] == 2, section.count >= 16,
      let index = programs.firstIndex(where: {
        $0.number == number && $0.identifier == identifier
      })
    else { return nil }
    let streams = readStreams(section)
    if let chosen {
      guard chosen.program == number, let first = streams.first, !streams.contains(chosen.stream)
      else { return nil }
      return choose(first, of: number, in: section, mapIdentifier: identifier)
    }
    if programs[index].isRead { return nil }
    programs[index].isRead = true
    for stream in streams {
      streamCount += 1
      if streamCount == wantedStream {
        return choose(stream, of: number, in: section, mapIdentifier: identifier)
      }
    }
    return isSingleSection && programs.allSatisfy { $0.isRead } ? .failure(failure) : nil
  }

  private mutating func choose(
    _ stream: Stream, of number: Int, in section: [UInt8], mapIdentifier: Int
  ) -> Outcome {
    chosen = (number, stream)
    var program = TransportProgram(
      number: number, mapIdentifier: mapIdentifier, identifier: stream.identifier,
      isLOAS: stream.framing == .loas)
    Self.forEachStream(section) { type, identifier in
      program.streams.append(TransportProgram.Stream(type: type, identifier: identifier))
    }
    self.program = program
    return .stream(stream)
  }

  /// Returns the AAC streams of a program map; records whether there are encrypted streams or
  /// streams of other codecs.
  private mutating func readStreams(_ section: [UInt8]) -> [Stream] {
    var streams: [Stream] = []
    Self.forEachStream(section) { type, identifier in
      switch type {
      case 0x0F: streams.append(Stream(identifier: identifier, framing: .adts))
      case 0x11: streams.append(Stream(identifier: identifier, framing: .loas))
      // AAC with partially encrypted frames, as sent by some HLS servers.
      case 0xCF: isEncrypted = true
      // Other audio: MPEG audio, AAC without headers, MPEG-H, and the ATSC codecs.
      case 0x03, 0x04, 0x1C, 0x2D, 0x2E, 0x81, 0x87:
        foreignType = foreignType ?? type
      default: break
      }
    }
    return streams
  }

  /// Calls `body` with the type and the identifier of each stream of a program map.
  private static func forEachStream(
    _ section: [UInt8], _ body: (_ type: UInt8, _ identifier: Int) -> Void
  ) {
    var position = 12 + length(section, at: 10)
    while position + 5 <= section.count - 4 {
      body(section[position], identifier(section, at: position + 1))
      position += 5 + length(section, at: position + 3)
    }
  }

  private static func identifier(_ bytes: [UInt8], at index: Int) -> Int {
    Int(bytes[index..<index + 2].number() & 0x1FFF)
  }

  private static func length(_ bytes: [UInt8], at index: Int) -> Int {
    Int(bytes[index..<index + 2].number() & 0x0FFF)
  }
}

extension TransportProgram {
  /// Returns the name of a stream type, or nil if it is unknown (ISO/IEC 13818-1, table 2-34; the
  /// last two are from ATSC).
  package static func name(ofType type: UInt8) -> StaticString? {
    switch type {
    case 0x01, 0x02: "MPEG video"
    case 0x03, 0x04: "MPEG audio (MP2 or MP3)"
    case 0x06: "private data"
    case 0x0F, 0x11: "AAC"
    case 0x15: "metadata"
    case 0x1B: "H.264 video"
    case 0x24: "H.265 video"
    case 0x2D, 0x2E: "MPEG-H Audio"
    case 0x81: "AC-3 (Dolby Digital)"
    case 0x87: "E-AC-3 (Dolby Digital Plus)"
    default: nil
    }
  }
}

/// The program with the AAC stream, as listed in the tables of a transport stream (ISO/IEC 13818-1,
/// 2.4.4).
public struct TransportProgram: Equatable, Sendable {
  /// A stream of the program.
  @frozen
  public struct Stream: Equatable, Sendable {
    /// The stream type, such as 0x0F for AAC with ADTS headers (table 2-34).
    public var type: UInt8
    /// The packet identifier (PID) of the stream.
    public var identifier: Int
  }

  /// The program number.
  public var number: Int
  /// The number of programs in the transport stream.
  public internal(set) var programCount = 1
  /// The packet identifier (PID) of the program map.
  public var mapIdentifier: Int
  /// The packet identifier (PID) of the AAC stream.
  public var identifier: Int
  /// Whether the frames are LATM in LOAS rather than ADTS.
  public var isLOAS: Bool
  /// All streams of the program, in the order of its map.
  public internal(set) var streams: [Stream] = []
  /// The distance between packets in bytes: 188, with timestamps 192, with parity 204.
  public internal(set) var packetByteCount = TransportPacket.byteCount
}
