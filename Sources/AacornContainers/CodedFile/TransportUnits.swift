/// Makes units of an AAC stream in a transport stream.
struct TransportUnits: Sendable {
  private var packets: TransportStreamReader
  private var frames = FramedUnits()
  /// Where the transport stream begins in the file.
  private let base: UInt64
  /// Whether the tables have chosen a stream.
  private var hasBegun = false
  /// The stream to go on with once the one before it has been read to its end.
  private var following: FramingProbe.Framing?
  private var isFinished = false
  private var areFramesFinished = false

  /// The units of a transport stream that begins at `base`; `track` counts from 1, nil is the first.
  init(track: Int?, base: UInt64) {
    packets = TransportStreamReader(track: track)
    self.base = base
  }

  /// Takes the next bytes.
  mutating func append(_ bytes: [UInt8]) { packets.append(bytes) }

  /// Marks the end.
  mutating func finish() {
    isFinished = true
    packets.finish()
  }

  /// Reads on a little; returns false if more bytes are needed.
  mutating func read(
    into steps: inout [CodedFileReader.Step]
  ) throws(CodedFileError) -> Bool {
    if hasBegun, frames.read(into: &steps) { return true }
    if let following {
      frames.restart(following)
      self.following = nil
      hasBegun = true
    }
    guard let event = packets.next() else {
      guard isFinished, !areFramesFinished else { return false }
      guard hasBegun else { throw packets.failure }
      areFramesFinished = true
      frames.finish()
      return true
    }
    switch event {
    case .begins(let framing):
      frames.finish()
      following = framing
    case .bytes(let bytes, let offset): frames.append(bytes, at: place(offset))
    case .damage(let damage):
      steps.append(
        .damage(
          StreamDamage(
            kind: damage.kind, offset: Int(truncatingIfNeeded: place(damage.offset)),
            length: damage.length)))
    case .failed(let error): throw error
    }
    return true
  }

  private func place(_ offset: Int) -> UInt64 {
    // An Int of 32 bits wraps in long streams.
    base &+ UInt64(UInt(bitPattern: offset))
  }
}
