/// Takes the frames of the AAC stream out of a transport stream, and knows where they are in it.
package struct TransportFrames: Sendable {
  /// A part of the file.
  package enum Event {
    /// A part of the AAC stream, and its first byte in the file.
    case part(FramingProbe.Event, place: UInt64, isLOAS: Bool)
    /// Damage of the packets.
    case damage(StreamDamage)
    /// There is nothing to be read.
    case failed(CodedFileError)
  }

  private var packets: TransportStreamReader
  private var frames = FramingProbe()
  private var places = PlaceMap()
  /// Whether the tables have chosen a stream.
  private var hasBegun = false
  /// The stream to go on with once the one before it has been read to its end.
  private var following: FramingProbe.Framing?
  private var isFinished = false
  private var areFramesFinished = false
  private var isOver = false

  /// The AAC stream with this number, from 1; nil is the first.
  package init(track: Int? = nil) {
    packets = TransportStreamReader(track: track)
  }

  /// The program that is read, once known.
  package var program: TransportProgram? { packets.program }

  /// Takes the next bytes of the file.
  package mutating func append(_ bytes: [UInt8]) {
    // Behind a failure nothing is read.
    if !isOver { packets.append(bytes) }
  }

  /// Marks the end.
  package mutating func finish() {
    isFinished = true
    packets.finish()
  }

  /// The next part, or nil if more bytes are needed or the file is over.
  package mutating func next() -> Event? {
    while !isOver {
      if hasBegun, let event = frames.next() {
        return .part(event, place: places.place(of: event.offset), isLOAS: frames.isLOAS)
      }
      if let framing = following {
        following = nil
        frames = FramingProbe(framing)
        places = PlaceMap()
        hasBegun = true
      }
      guard let event = packets.next() else {
        if !isFinished { return nil }
        if !hasBegun { return fail(packets.failure) }
        isOver = areFramesFinished
        areFramesFinished = true
        frames.finish()
        continue
      }
      switch event {
      case .begins(let framing):
        frames.finish()
        following = framing
      case .bytes(let bytes, let offset):
        // An Int of 32 bits wraps in long streams.
        places.append(bytes.count, at: UInt64(UInt(bitPattern: offset)))
        frames.append(bytes)
      case .damage(let damage): return .damage(damage)
      case .failed(let error): return fail(error)
      }
    }
    return nil
  }

  private mutating func fail(_ error: CodedFileError) -> Event {
    isOver = true
    return .failed(error)
  }
}
