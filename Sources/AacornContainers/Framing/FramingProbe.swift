/// Determines whether a stream is ADTS or LOAS by reading it as both until one of them has a frame.
package struct FramingProbe: Sendable {
  /// The framing of a stream.
  package enum Framing: Equatable, Sendable {
    /// ADTS headers.
    case adts
    /// LOAS headers around LATM.
    case loas
  }

  private typealias Event = FrameSource.Event

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
  init(_ framing: Framing? = nil) {
    switch framing {
    case nil: choice = .open
    case .adts: choice = .adts
    case .loas: choice = .loas
    }
  }

  /// Whether the stream is LOAS; false until the first event.
  var isLOAS: Bool { choice == .loas }

  /// Appends the next bytes of the stream.
  mutating func append(_ bytes: [UInt8]) {
    if choice != .loas { adts.append(bytes) }
    if choice != .adts { latm.append(bytes) }
  }

  /// Marks the end of the stream.
  mutating func finish() {
    isFinished = true
    adts.finish()
    latm.finish()
  }

  /// Returns the next event, or nil if more bytes are needed or the stream has ended.
  ///
  /// The offset of the event is its position in the stream.
  mutating func next() -> FrameSource.Event? {
    if choice == .open && !choose() { return nil }
    if let event = held.take() { return event }
    return choice == .adts
      ? adts.next().map { event(of: $0) } : latm.next().map { event(of: $0) }
  }

  private func event(of event: ADTSReader.Event) -> Event {
    Event(event, endingAt: adts.position) { ($0.offset, .adts($0)) }
  }

  private func event(of event: LATMReader.Event) -> Event {
    Event(event, endingAt: latm.position) { ($0.offset, .latm($0)) }
  }

  /// Reads with both readers until the first frame determines the format; returns whether it is
  /// chosen.
  private mutating func choose() -> Bool {
    while firstADTS == nil, let event = adts.next() {
      heldADTS.append(self.event(of: event))
      if case .frame(let frame) = event {
        firstADTS = frame.offset
      } else if heldADTS.count == Self.eventLimit {
        firstADTS = adts.position
      }
    }
    while firstLATM == nil, let event = latm.next() {
      heldLATM.append(self.event(of: event))
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
