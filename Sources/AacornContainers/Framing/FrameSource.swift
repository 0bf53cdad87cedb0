package import AacornCodec
import AacornSignal
import AacornSoundFiles

/// Reads the frames of an ADTS, LOAS, ADIF or MPEG transport stream that arrives in pieces of any
/// size.
///
///     source.append(bytes)
///     while let event = source.next() { … }
///
/// Tags, damage and other skipped bytes are events, too. Memory does not grow with the stream.
package struct FrameSource: Sendable {
  /// The structure of a stream.
  package enum Format: Equatable, Sendable {
    /// ADTS or LOAS frames.
    case frames
    /// The blocks of an ADIF file, which are stored without lengths.
    case blocks
    /// A transport stream.
    case packets
    /// A file that requires seeking; it has no events except a failure.
    case movie
  }

  /// A part of a stream.
  package struct Event: Sendable {
    /// The kind of a part.
    package enum Content: Sendable {
      /// A frame of an ADTS stream.
      case adts(ADTSFrame)
      /// A payload of a LOAS stream; the event describes the frame that contains it.
      case latm(LATMFrame)
      /// The header of an ADIF file.
      case header(AudioSpecificConfig)
      /// A block of an ADIF file.
      case block([UInt8], AudioSpecificConfig)
      /// The start of a block whose end is unknown; no blocks follow.
      case unreadableBlock([UInt8], AudioSpecificConfig)
      /// An ID3 or APE tag.
      case tag
      /// Skipped bytes, or a change of parameters before the next frame.
      case damage(StreamDamage.Kind)
      /// The reason why no frames follow.
      case failed(CodedFileError)
    }

    /// The file offset of the first byte.
    package fileprivate(set) var offset: UInt64
    /// The number of bytes, without the packet headers between them in a transport stream.
    package let length: Int
    package let content: Content

    /// Creates an event at a position of its reader's stream.
    ///
    /// An Int with 32 bits wraps in long streams, so its bits are converted as unsigned.
    init(at position: Int, length: Int, _ content: Content) {
      offset = UInt64(UInt(bitPattern: position))
      self.length = length
      self.content = content
    }

    /// Creates an event of a reader, whose position is at the end of a frame.
    init<Frame>(
      _ event: StreamEvent<Frame>, endingAt end: Int,
      _ describe: (Frame) -> (offset: Int, content: Content)
    ) {
      switch event {
      case .frame(let frame):
        let (offset, content) = describe(frame)
        self.init(at: offset, length: end &- offset, content)
      case .tag(let offset, let length): self.init(at: offset, length: length, .tag)
      case .damage(let damage):
        self.init(at: damage.offset, length: damage.length, .damage(damage.kind))
      }
    }

    /// Returns the event at its file offset.
    func mapped(by offsets: inout OffsetMap) -> Event {
      var event = self
      event.offset = offsets.offset(of: Int(truncatingIfNeeded: offset))
      return event
    }
  }

  /// The format; nil until enough bytes have arrived to recognize it.
  package private(set) var format: Format?
  /// Whether an event after the tags was returned.
  package private(set) var hasBegun = false
  /// The first bytes after any tags, until the format is recognized.
  private var head: [UInt8] = []
  /// The tag at the start of the file that is being skipped, and the number of its bytes that have
  /// not arrived.
  private var tag: (byteCount: Int, missingCount: Int)?
  /// The events of the start of the file.
  private var pending = PendingItems<Event>()
  /// The file offset of the first byte after the tags at the start of the file.
  private var start: UInt64
  /// The file offset of the next byte for the readers.
  private var end: UInt64
  private var frames = FramingProbe()
  private var offsets = OffsetMap()
  private var blocks = ADIFReader()
  private var packets: TransportFrames

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - format: The format, or nil to recognize it after the tags at the start of the file.
  ///   - start: The file offset of the first byte.
  ///   - track: The AAC stream of a transport stream, counted from 1; nil for the first one.
  package init(_ format: Format? = nil, at start: UInt64 = 0, track: Int? = nil) {
    self.format = format
    self.start = start
    end = start
    packets = TransportFrames(track: track)
  }

  /// The number of bytes after the tags of a file in which its first frame must be found.
  ///
  /// Frames may follow zeros or other data, as after a damaged block of a disk. A pipe may have no
  /// end, so its first frame must come sooner.
  package static func searchByteLimit(isPiped: Bool = false) -> Int { isPiped ? 1 << 20 : 1 << 24 }

  /// Whether the frames of the last event are LOAS.
  package var isLOAS: Bool { format == .packets ? packets.isLOAS : frames.isLOAS }
  /// The program of a transport stream, once known.
  package var program: TransportProgram? { packets.program }
  /// Whether no more events will follow, whatever is appended.
  package var isStopped: Bool { format == .blocks && blocks.isFinished }

  /// Appends the next bytes of the stream.
  package mutating func append(_ bytes: [UInt8]) {
    if format != nil { return pass(bytes) }
    head = skipTags(head + bytes)
    if head.count >= FileKind.longPrefixCount { recognize() }
  }

  /// Marks the end of the stream.
  package mutating func finish() {
    if format == nil { recognize() }
    frames.finish()
    blocks.finish()
    packets.finish()
  }

  /// Returns the next event, or nil if more bytes are needed or the stream has ended.
  package mutating func next() -> Event? {
    if let event = pending.take() { return event }
    var event: Event?
    switch format {
    case .frames: event = frames.next()?.mapped(by: &offsets)
    case .blocks: event = blocks.next()
    case .packets: event = packets.next()
    case .movie, nil: break
    }
    if event != nil { hasBegun = true }
    if format != .frames { event?.offset &+= start }
    return event
  }

  /// Skips the tags at the start of the file, and returns the bytes after them.
  private mutating func skipTags(_ bytes: [UInt8]) -> [UInt8] {
    var index = 0
    while true {
      if let (byteCount, missingCount) = tag {
        let count = min(missingCount, bytes.count - index)
        index += count
        tag?.missingCount -= count
        if count < missingCount { break }
        addToStart(byteCount, .tag)
        start &+= UInt64(byteCount)
        tag = nil
      }
      guard index + StreamTag.lookAhead <= bytes.count,
        let count = StreamTag.byteCount(bytes.span.extracting(index..<bytes.count))
      else { break }
      tag = (count, count)
    }
    return index == 0 ? bytes : Array(bytes[index...])
  }

  private mutating func recognize() {
    if let (byteCount, missingCount) = tag {
      addToStart(byteCount - missingCount, .damage(.truncatedTag))
    }
    switch FileKind(prefix: head.span) {
    case .other(.adif): format = .blocks
    // The offsets in its tables do not count a tag before the first box.
    case .other(.mp4) where start == 0:
      format = .movie
      addToStart(0, .failed(.requiresSeeking))
    case .other(.transportStream): format = .packets
    default: format = .frames
    }
    end = start
    pass(head)
    head = []
  }

  private mutating func addToStart(_ length: Int, _ content: Event.Content) {
    var event = Event(at: 0, length: length, content)
    event.offset = start
    pending.list.append(event)
  }

  private mutating func pass(_ bytes: [UInt8]) {
    switch format {
    case .frames where !hasBegun && end - start > UInt64(Self.searchByteLimit()): break
    case .frames:
      offsets.append(bytes.count, at: end)
      frames.append(bytes)
    case .blocks: blocks.append(bytes)
    case .packets: packets.append(bytes)
    case .movie, nil: break
    }
    end &+= UInt64(bytes.count)
  }
}
