import AacornRecording
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
  private let printsJSON: Bool
  private let isVerbose: Bool
  private let isQuiet: Bool
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
    (printsJSON, isVerbose) = (command.printsJSON, command.isVerbose)
    isQuiet = command.isQuiet
    isLive = console.isLive && !command.isQuiet && !command.printsJSON
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
    if printsJSON { return console.print(event.json(wallTime: wallTime)) }
    guard event.isFailure || (!isQuiet && (isVerbose || !event.isDetail)) else { return }
    for message in event.messages { console.printError(message) }
  }

  private func draw(_ snapshots: () -> [StreamEntrySnapshot]) {
    guard isLive else { return }
    let content = ManyStreamsLine(entries: snapshots())
    line.withLock { $0.draw { content.text(columns: $0) } }
  }
}
