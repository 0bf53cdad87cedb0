/// Determines whether a stream is ADTS or LOAS by reading it as both until one of them has a frame.
package struct FramingProbe: Sendable {
  /// The framing of a stream.
  package enum Framing: Equatable, Sendable {
    /// ADTS headers.
    case adts
    /// LOAS headers around LATM.
    case loas
  }

  /// An event of the stream.
  package enum Event {
    /// A frame of an ADTS stream.
    case adts(ADTSFrame)
    /// A payload of a LOAS stream.
    case latm(LATMFrame)
    /// An ID3 or APE tag, skipped.
    case tag(offset: Int, length: Int)
    /// Damage in either format.
    case damage(StreamDamage)

    /// The position of the first byte in the stream.
    package var offset: Int {
      switch self {
      case .adts(let frame): frame.offset
      case .latm(let frame): frame.offset
      case .tag(let offset, _): offset
      case .damage(let damage): damage.offset
      }
    }
  }

  private enum Choice { case open, adts, loas }

  private var choice: Choice
  private var adts = ADTSReader()
  private var latm = LATMReader()
  /// The position of each format's first frame.
  ///
  /// If a reader finds no frame in `eventLimit` events, its current position counts instead.
  private var firstADTS: Int?
  private var firstLATM: Int?
  /// The events of each reader before the format is chosen.
  private var heldADTS: [Event] = []
  private var heldLATM: [Event] = []
  /// The held events of the chosen format.
  private var held = PendingItems<Event>()
  /// The number of consecutive LOAS frames before the first configuration, and the first of them.
  private var unconfiguredCount = 0
  private var firstUnconfigured = 0
  private var isFinished = false

  /// The number of consecutive frames without a configuration that prove LOAS.
  ///
  /// Noise contains sync words at matching distances about every eight million bytes.
  private static let unconfiguredLimit = 4
  /// The number of events after which a reader's format can be chosen although it has found no
  /// frame.
  private static let eventLimit = 200

  /// Creates a probe at the start of a stream; with `framing`, the format is fixed.
  package init(_ framing: Framing? = nil) {
    switch framing {
    case nil: choice = .open
    case .adts: choice = .adts
    case .loas: choice = .loas
    }
  }

  /// The number of bytes after the tags of a file in which its first frame must be found.
  ///
  /// Frames may follow zeros or other data, as after a damaged block of a disk. A pipe may have no
  /// end, so its first frame must come sooner.
  package static func searchByteLimit(isPiped: Bool = false) -> Int { isPiped ? 1 << 20 : 1 << 24 }

  /// Whether the stream is LOAS; false until the first event.
  package var isLOAS: Bool { choice == .loas }
  /// The position of the bytes after the last frame that was returned.
  package var position: Int { isLOAS ? latm.position : adts.position }

  /// Appends the next bytes of the stream.
  package mutating func append(_ bytes: [UInt8]) {
    if choice != .loas { adts.append(bytes) }
    if choice != .adts { latm.append(bytes) }
  }

  /// Marks the end of the stream.
  package mutating func finish() {
    isFinished = true
    adts.finish()
    latm.finish()
  }

  /// Returns the next event, or nil if more bytes are needed or the stream has ended.
  package mutating func next() -> Event? {
    if choice == .open && !choose() { return nil }
    if let event = held.take() { return event }
    return choice == .adts
      ? adts.next().map { Event($0, Event.adts) } : latm.next().map { Event($0, Event.latm) }
  }

  /// Reads with both readers until the first frame determines the format; returns whether it is
  /// chosen.
  private mutating func choose() -> Bool {
    while firstADTS == nil, let event = adts.next() {
      heldADTS.append(Event(event, Event.adts))
      if case .frame(let frame) = event {
        firstADTS = frame.offset
      } else if heldADTS.count == Self.eventLimit {
        firstADTS = adts.position
      }
    }
    while firstLATM == nil, let event = latm.next() {
      heldLATM.append(Event(event, Event.latm))
      switch event {
      case .frame(let frame): firstLATM = unconfiguredCount > 0 ? firstUnconfigured : frame.offset
      // The framing is valid, but the configuration is missing, because the file starts in the
      // middle of a stream.
      case .damage(let damage) where damage.kind == .missingConfiguration:
        if unconfiguredCount == 0 { firstUnconfigured = damage.offset }
        unconfiguredCount += 1
        if unconfiguredCount == Self.unconfiguredLimit { firstLATM = firstUnconfigured }
      default:
        unconfiguredCount = 0
        if heldLATM.count >= Self.eventLimit { firstLATM = latm.position }
      }
    }
    if isFinished, firstADTS == nil, firstLATM == nil, unconfiguredCount > 0 {
      firstLATM = firstUnconfigured
    }
    // A reader that has not passed the first frame of the other format may still find an earlier
    // frame.
    switch (firstADTS, firstLATM) {
    case (let first?, let second?): choice = first <= second ? .adts : .loas
    case (let first?, nil) where isFinished || latm.position > first: choice = .adts
    case (nil, let first?) where isFinished || adts.position > first: choice = .loas
    case (nil, nil) where isFinished: choice = .adts
    default: return false
    }
    held.replace(choice == .adts ? heldADTS : heldLATM)
    heldADTS = []
    heldLATM = []
    // The other reader's bytes are no longer needed.
    if choice == .adts { latm = LATMReader() } else { adts = ADTSReader() }
    return true
  }
}

extension FramingProbe.Event {
  fileprivate init<Frame>(_ event: StreamEvent<Frame>, _ frame: (Frame) -> Self) {
    switch event {
    case .frame(let found): self = frame(found)
    case .tag(let offset, let length): self = .tag(offset: offset, length: length)
    case .damage(let damage): self = .damage(damage)
    }
  }
}
