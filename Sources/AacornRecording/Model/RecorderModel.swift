public import AacornDevices
import AacornSystem

/// The state and the actions of a screen with a record button: one recording after another, each in
/// its own file.
///
///     let model = RecorderModel(folder: documents)
///     await model.start()
///     for await state in await model.states() { show(state) }
///
/// It does not depend on a UI framework: a view keeps the last ``State`` and calls the functions.
/// No audio passes through it.
public actor RecorderModel {
  /// The folder of the recordings.
  public nonisolated let folder: String

  private let configuration: RecordingConfiguration
  private let makeRecorder: @Sendable ([any PacketOutput], RecordingConfiguration) -> Recorder
  private var state = State()
  private var listeners: [Int: AsyncStream<State>.Continuation] = [:]
  private var listenerCount = 0
  /// The current recorder; nil between two recordings.
  private var recorder: Recorder?
  /// The file that is being written.
  private var path: String?
  /// The number of the recording, so that late events of an earlier one can be ignored.
  private var recordingNumber = 0

  /// Creates a model that records a microphone to files in a folder, which must exist.
  ///
  /// The files are M4A, or CAF if the coding of the configuration is uncompressed samples.
  public init(
    folder: String, request: CaptureRequest = CaptureRequest(),
    _ configuration: RecordingConfiguration = RecordingConfiguration()
  ) {
    self.init(folder: folder, configuration) { outputs, configuration in
      Recorder(from: request, to: outputs, configuration)
    }
  }

  package init(
    folder: String, _ configuration: RecordingConfiguration = RecordingConfiguration(),
    makeRecorder: @escaping @Sendable ([any PacketOutput], RecordingConfiguration) -> Recorder
  ) {
    self.folder = folder
    self.configuration = configuration
    self.makeRecorder = makeRecorder
  }

  deinit {
    for listener in listeners.values { listener.finish() }
  }

  /// Returns a stream of the current state and each new one.
  ///
  /// A slow listener gets only the newest state.
  public func states() -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream<State>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    listenerCount += 1
    listeners[listenerCount] = continuation
    continuation.yield(state)
    return stream
  }

  /// Begins a recording to a new file, and to further outputs such as a server; does nothing if a
  /// recording is running.
  ///
  /// Returns when the recording runs, or when it has failed, with the reason in ``State/message``.
  public func start(alsoTo outputs: [any PacketOutput] = []) async {
    guard self.recorder == nil else { return }
    var configuration = configuration
    configuration.isMuted = state.isMuted
    let format: FileFormat = configuration.coding.profile == nil ? .caf : .m4a
    let path = freePath(format.rawValue)
    var all: [any PacketOutput] = [FileOutput(path, format)]
    all += outputs
    let recorder = makeRecorder(all, configuration)
    self.recorder = recorder
    self.path = path
    self.recordingNumber += 1
    let recordingNumber = recordingNumber
    state.begin()
    notifyListeners()
    observe(recorder, recordingNumber)
    do throws(RecordingError) {
      try await recorder.start()
    } catch {
      var summary = RecordingSummary()
      summary.failure = error
      return finish(summary, of: recordingNumber)
    }
    guard isCurrent(recordingNumber), state.phase == .opening else { return }
    state.phase = .recording
    notifyListeners()
  }

  /// Ends the recording; its file is complete when this returns.
  public func stop() async {
    guard let recorder else { return }
    let recordingNumber = recordingNumber
    state.phase = .stopping
    notifyListeners()
    let summary = await recorder.stop()
    finish(summary, of: recordingNumber)
  }

  /// Mutes or unmutes this recording and later ones; time keeps running.
  public func setMuted(_ isMuted: Bool) async {
    state.isMuted = isMuted
    notifyListeners()
    await recorder?.setMuted(isMuted)
  }

  /// Reconnects to a microphone that is disconnected or used by another program, for example after
  /// a call.
  public func resume() async {
    await recorder?.resume()
  }

  /// Updates the list of recordings, for example when a screen appears.
  public func refresh() {
    state.recordings = Self.recordings(in: folder, except: path)
    notifyListeners()
  }

  // MARK: - Events of a recording

  /// Handles the events and levels of a recording, without keeping the model alive.
  private func observe(_ recorder: Recorder, _ recordingNumber: Int) {
    let (events, levels) = (recorder.events, recorder.levels())
    Task.detached { [weak self] in
      for await event in events { await self?.process(event, of: recordingNumber) }
    }
    Task.detached { [weak self] in
      for await level in levels { await self?.process(level, of: recordingNumber) }
    }
  }

  private func process(_ event: RecorderEvent, of recordingNumber: Int) {
    guard isCurrent(recordingNumber) else { return }
    switch event {
    case .suspended: state.interruption = .suspended
    case .stalled: state.interruption = .stalled
    case .deviceLost: state.interruption = .deviceLost
    case .resumed:
      // A suspension or a stall has ended, but a disconnected device has not returned.
      guard state.interruption != .deviceLost else { return }
      state.interruption = nil
    case .deviceReturned, .deviceChanged: state.interruption = nil
    case .signal(let event): state.isSilent = event.isActive
    case .outputLost(_, let error), .outputFailed(_, let error): state.message = error.message
    case .stopped(let summary): return finish(summary, of: recordingNumber)
    default: return
    }
    notifyListeners()
  }

  private func process(_ levels: RecordingLevels, of recordingNumber: Int) {
    guard isCurrent(recordingNumber) else { return }
    state.duration = Duration(samples: levels.position, at: configuration.sampleRate)
    state.append(levels)
    notifyListeners()
  }

  private func isCurrent(_ recordingNumber: Int) -> Bool {
    recorder != nil && self.recordingNumber == recordingNumber
  }

  /// Handles the end or a failed start of a recording; may be called twice.
  private func finish(_ summary: RecordingSummary, of recordingNumber: Int) {
    guard isCurrent(recordingNumber) else { return }
    recorder = nil
    path = nil
    state.end(with: summary)
    refresh()
  }

  private func notifyListeners() {
    for (number, listener) in listeners {
      if case .terminated = listener.yield(state) { listeners[number] = nil }
    }
  }

  /// Returns the path of a file that does not exist yet, named after the time.
  private func freePath(_ suffix: String) -> String {
    let name = Timestamp.recordingName(System.wallNanoseconds)
    var number = 1
    while true {
      let ending = number == 1 ? "" : "-\(number)"
      let path = FileName.joined(folder, "\(name)\(ending).\(suffix)")
      if (try? System.statusOfLink(path)) == nil { return path }
      number += 1
    }
  }
}

extension RecorderModel {
  /// A finished recording in the folder.
  public struct Recording: Sendable, Equatable, Identifiable {
    /// The path of the file.
    public let path: String
    /// The size of the file in bytes.
    public let byteCount: Int
    /// The modification time, in nanoseconds since 1970.
    public let wallTime: Int64

    /// The path, which is unique.
    public var id: String { path }
    /// The name of the file.
    public var name: String { FileName.last(path) }
  }

  /// Returns the recordings in a folder, the newest first, without the file that is being written.
  static func recordings(in folder: String, except ownPath: String?) -> [Recording] {
    let names = (try? System.names(inFolder: folder)) ?? []
    let recordings = names.compactMap { name -> Recording? in
      let path = FileName.joined(folder, name)
      guard !name.hasPrefix("."), path != ownPath, FileFormat(path: path) != nil else { return nil }
      guard let status = try? System.status(of: path), status.kind == .file else { return nil }
      return Recording(path: path, byteCount: status.size, wallTime: status.modified)
    }
    return recordings.sorted { ($1.wallTime, $1.path) < ($0.wallTime, $0.path) }
  }
}
