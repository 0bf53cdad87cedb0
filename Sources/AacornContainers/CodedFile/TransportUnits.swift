/// Converts an AAC stream in a transport stream to units.
struct TransportUnits: Sendable {
  private var frames: TransportFrames
  private var units = FramedUnits()
  /// The file offset of the transport stream.
  private let base: UInt64

  /// Creates a reader of a transport stream at `base`; `track` counts from 1, nil is the first.
  init(track: Int?, base: UInt64) {
    frames = TransportFrames(track: track)
    self.base = base
  }

  mutating func append(_ bytes: [UInt8]) { frames.append(bytes) }

  mutating func finish() { frames.finish() }

  /// Reads one event; returns false if more bytes are needed.
  mutating func read(
    into steps: inout [CodedFileReader.Step]
  ) throws(CodedFileError) -> Bool {
    guard let event = frames.next() else { return false }
    switch event {
    case .part(let part, let offset, _): units.process(part, at: base &+ offset, into: &steps)
    case .damage(let damage):
      // An Int with 32 bits wraps in long streams, so convert its bits as unsigned.
      let offset = base &+ UInt64(UInt(bitPattern: damage.offset))
      steps.append(
        .damage(
          StreamDamage(
            kind: damage.kind, offset: Int(truncatingIfNeeded: offset), length: damage.length)))
    case .failed(let error): throw error
    }
    return true
  }
}
