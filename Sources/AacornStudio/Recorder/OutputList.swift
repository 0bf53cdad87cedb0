import AacornRecording
import AacornStreaming
import AacornSystem

/// The status of a recording's outputs: written by many threads, read for pages.
final class OutputList: OutputBoard {
  /// The kind of an output.
  enum Kind: String, Sendable {
    case file, icecast, rtmp, hls
  }

  /// The state of an output.
  enum State: String, Sendable {
    /// No audio has arrived, or the server has not answered yet.
    case opening
    case live
    /// The connection is lost, or was never made, and is being retried.
    case reconnecting
    /// It cannot continue.
    case failed
    case ended
  }

  private struct Entry {
    let kind: Kind
    let name: String
    var url = ""
    var state = State.opening
    /// The reason for its state, as a sentence without secrets; may be empty.
    var detail = ""
    var frameCount = 0
    var byteCount = 0
    /// A connection to a server, which has its own numbers.
    var connection: LiveConnection?
  }

  private let entries = Lock<[Entry]>([])
  private let redactor: Redactor
  /// Messages while they are held back; otherwise nil.
  private let held = Lock<[StudioMessage]?>(nil)
  private let news: @Sendable (StudioMessage?) -> Void

  /// Creates an empty list; `news` is called with every change, and the message about it.
  init(_ redactor: Redactor, news: @escaping @Sendable (StudioMessage?) -> Void) {
    self.redactor = redactor
    self.news = news
  }

  /// Adds an output and returns its number.
  func add(_ kind: Kind, name: String, url: String = "") -> Int {
    entries.withLock { entries in
      entries.append(Entry(kind: kind, name: name, url: url))
      return entries.count - 1
    }
  }

  /// The names of outputs of certain kinds.
  func names(_ isMeant: (Kind) -> Bool) -> [String] {
    entries.withLock { $0.filter { isMeant($0.kind) }.map(\.name) }
  }

  /// Takes the numbers of an output from a connection.
  func connect(_ index: Int, to connection: LiveConnection) {
    entries.withLock { $0[index].connection = connection }
  }

  /// The outputs for pages.
  var json: JSONValue {
    .list(
      entries.withLock { entries in
        entries.map { entry in
          let status = entry.connection?.status
          return .object([
            .init("kind", .text(entry.kind.rawValue)), .init("name", .text(entry.name)),
            .init("state", .text(entry.state.rawValue)), .init("detail", .text(entry.detail)),
            .init("url", .text(entry.url)),
            .init("sent", .integer(status?.sentFrameCount ?? entry.frameCount)),
            .init("dropped", .integer(status?.droppedFrameCount ?? 0)),
            .init("bytes", .integer(status?.sentByteCount ?? entry.byteCount)),
          ])
        }
      })
  }

  /// Holds messages back until it is known whether the recording begins.
  func hold() { held.withLock { $0 = [] } }

  /// Sends the held messages except for one given in answer; from here on all are sent at once.
  func release(except answer: String? = nil) {
    let messages = held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    for message in messages where message.text != answer { news(message) }
  }

  // MARK: - What happens

  /// A recording whose file cannot be created should not begin.
  var isHopeless: Bool { true }

  func begin(_ index: Int) { set(index, to: .live) }

  func end(_ index: Int) { set(index, to: .ended) }

  func count(_ index: Int, frameCount: Int, byteCount: Int) {
    entries.withLock { entries in
      entries[index].frameCount = frameCount
      entries[index].byteCount = byteCount
    }
  }

  func fail(_ index: Int, _ error: OutputError) {
    let name = entries.withLock { $0[index].name }
    set(index, to: .failed, error.studioSentence(name))
  }

  /// Records the failure of an output that was abandoned elsewhere, of which only the name is
  /// known.
  func fail(named name: String, _ error: OutputError) {
    let index = entries.withLock { $0.firstIndex { $0.name == name && $0.state != .failed } }
    if let index, error.kind == .tooSlow { fail(index, error) }
  }

  /// Records a change of state of an output's connection.
  func change(_ index: Int, to state: LiveState) {
    switch state {
    case .ready, .connecting: set(index, to: .opening)
    case .live: set(index, to: .live)
    case .reconnecting(let error, _): set(index, to: .reconnecting, error.studioSentence)
    case .stopped: set(index, to: .ended)
    case .failed(let error): set(index, to: .failed, error.studioSentence)
    }
  }

  private func set(_ index: Int, to state: State, _ detail: String = "") {
    let detail = redactor.clean(detail)
    let change = entries.withLock { entries -> (old: State, message: StudioMessage?)? in
      let old = entries[index]
      // A failed output stays failed, whatever becomes of its remains.
      if old.state == .failed || (old.state == state && old.detail == detail) { return nil }
      entries[index].state = state
      entries[index].detail = detail
      return (old.state, Self.message(about: old, now: state, detail))
    }
    guard let change else { return }
    let isHeld = held.withLock { held in
      guard held != nil, let message = change.message else { return false }
      held?.append(message)
      return true
    }
    news(isHeld ? nil : change.message)
  }

  private static func message(
    about old: Entry, now state: State, _ detail: String
  ) -> StudioMessage? {
    let name = displayed(old.name)
    switch state {
    case .live where old.state == .reconnecting: return .note("\(name) is live again.")
    case .live where old.kind == .icecast || old.kind == .rtmp: return .note("\(name) is live.")
    case .reconnecting: return .warning("\(name): \(detail) It is tried again.")
    case .failed where old.kind == .file: return .error(detail)
    case .failed: return .error("\(name) is given up: \(detail)")
    case .opening, .live, .ended: return nil
    }
  }
}
