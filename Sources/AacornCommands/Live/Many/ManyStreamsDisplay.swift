import AacornRecording
import AacornStreaming
import AacornSystem

/// A display of the events of many streams, with its own thread, so that a slow reader blocks no
/// stream.
final class ManyStreamsDisplay: Sendable {
  enum Entry: Sendable {
    case event(StreamEntryEvent)
    /// Complete lines of one stream, for standard output or standard error.
    case text([UInt8], isResult: Bool)
  }

  private let console: Console
  private let choice: ReportChoice
  private let isLive: Bool
  private let queue = EventQueue<Entry>(limit: ManyStreamsDisplay.limit)
  private let line: Lock<TerminalStatusLine>

  /// The maximum number of queued entries.
  private static let limit = 20_000
  /// Milliseconds between redraws.
  private static let interval = 250
  /// Milliseconds between checks if nothing is drawn.
  private static let idleInterval = 10_000

  init(_ command: StreamCommand, in console: Console) {
    self.console = console
    choice = command.report
    isLive = console.isLive && !command.report.isQuiet && !command.report.printsJSON
    line = Lock(TerminalStatusLine(in: console))
  }

  /// Queues an event without blocking; callable from any thread.
  func enqueue(_ event: StreamEntryEvent) { queue.put(.event(event)) }

  /// Returns the console for one run of a stream, which `interruption` ends.
  func console(of name: String, _ interruption: Interruption) -> Console {
    func stream(isResult: Bool) -> TextStream {
      TextStream { [queue] (bytes) throws(SystemError) in
        queue.put(.text(bytes, isResult: isResult), mayBeDropped: true)
      }
    }
    var own = Console(
      output: stream(isResult: true), errors: stream(isResult: false), isLive: false,
      columns: console.columns, interruption: interruption)
    own.isOutputMissing = console.isOutputMissing
    own.stream = name
    return own
  }

  /// Starts the thread.
  ///
  /// `snapshots` returns the current state of all streams.
  func start(_ snapshots: @escaping @Sendable () -> [StreamEntrySnapshot]) {
    queue.start(milliseconds: isLive ? Self.interval : Self.idleInterval) { [self] in
      reportEntries()
      draw(snapshots)
    }
  }

  /// Prints the remaining entries and clears the line.
  func finish() {
    queue.finish()
    reportEntries()
  }

  // MARK: - One thread at a time

  private func reportEntries() {
    let (entries, droppedCount) = queue.takeAll()
    if entries.isEmpty && droppedCount == 0 { return }
    line.withLock { line in
      line.clear()
      for entry in entries {
        switch entry.event {
        case .event(let event): report(event, entry.wallTime)
        case .text(let bytes, let isResult):
          let stream = isResult ? console.output : console.errors
          stream.write(PathText.decode(bytes))
        }
      }
      if droppedCount > 0 {
        let count = QuantityText.count(droppedCount, "message")
        report(.warning("\(count) were dropped."), System.wallNanoseconds)
      }
      console.output.flush()
      console.errors.flush()
    }
  }

  private func report(_ event: StreamEntryEvent, _ wallTime: Int64) {
    if choice.printsJSON { return console.print(event.json(wallTime: wallTime)) }
    guard event.isFailure || (!choice.isQuiet && (choice.isVerbose || !event.isDetail)) else {
      return
    }
    for message in event.messages { console.printError(message) }
  }

  private func draw(_ snapshots: () -> [StreamEntrySnapshot]) {
    guard isLive else { return }
    let content = ManyStreamsLine(entries: snapshots())
    line.withLock { $0.draw { content.text(columns: $0) } }
  }
}

/// The line at the bottom of the terminal while many streams run.
///
///     97 of 100 LIVE  jazz reconnecting  news waiting  talk failed
///
/// Live streams are only counted. The other streams are named, as far as the line has room.
struct ManyStreamsLine {
  var entries: [StreamEntrySnapshot]

  /// Returns the line for a terminal with a number of columns.
  func text(columns: Int) -> String {
    let width = TerminalStatusLine.width(ofColumns: columns)
    let liveCount = entries.count { $0.state == .running && $0.isHealthy }
    var text = "\(liveCount) of \(entries.count) LIVE"
    if text.count > width { return TerminalStatusLine.truncate(text, to: width) }
    let others = entries.compactMap { entry in
      Self.problem(of: entry).map { "\(entry.name) \($0)" }
    }
    for (index, words) in others.enumerated() {
      let rest = others.count - index
      // Reserve room for the number of the remaining streams.
      let more = rest > 1 ? "  and \(rest - 1) more" : ""
      if text.count + 2 + words.count + more.count > width {
        let all = "  and \(rest) more"
        return text.count + all.count <= width ? text + all : text
      }
      text += "  " + words
    }
    return text
  }

  /// Returns the reason why a stream is not live, or nil.
  private static func problem(of entry: StreamEntrySnapshot) -> String? {
    guard entry.state == .running else { return entry.state.rawValue }
    let stream = entry.details
    if stream.isHealthy { return stream.outputs.first { $0.state != .live }?.state.keyword }
    if stream.isStopping { return "stopping" }
    if stream.sound.isStalled { return "no sound" }
    if stream.sound.isDeviceLost { return "device lost" }
    if stream.startWallTime == 0 { return "starting" }
    if !stream.isFlowing { return "no sound" }
    return stream.outputs.first { $0.state != .live }?.state.keyword ?? "not live"
  }
}
