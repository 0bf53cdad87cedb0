import AacornCodec
import AacornContainers
import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// The state of the recorder, as sent to pages.
struct RecorderState: Sendable {
  /// The activity of the recorder.
  enum Phase: String, Sendable {
    case idle, opening, listening, recording, paused, stopping
  }

  /// A recording that is being made.
  struct Current: Sendable {
    let name: String
    let plan: RecordingPlan
    let outputs: OutputMessages
    /// The start time, in milliseconds since the start of 1970.
    let startTime: Int64
    var device: Device?
    var isDeviceLost = false
    /// Whether the device has delivered only zeros for ten seconds or more.
    var isSilent = false
    var gapCount = 0
    var filledSampleCount = 0
    /// The most recent gaps.
    var gaps: [RecordingGap] = []
  }

  /// A message with its number and time, in milliseconds since the start of 1970.
  struct Entry: Sendable {
    let number: Int
    let time: Int64
    let message: StudioMessage
  }

  var phase = Phase.idle
  var isMuted = false
  /// Whether the audio bypasses the effects.
  var isBypassed = false
  /// Whether the input is played on the monitor output.
  var isMonitored = false
  var current: Current?
  /// The settings of the last request.
  var request = RecordingRequest()
  private(set) var messages: [Entry] = []
  private var messageCount = 0
  /// The last completed recording.
  var last: StudioRecording?

  /// The maximum number of gaps and of messages sent to pages.
  private static let gapLimit = 50
  private static let messageLimit = 20

  /// The current time, in milliseconds since the start of 1970.
  static var now: Int64 { System.wallNanoseconds / 1_000_000 }

  mutating func add(_ message: StudioMessage) {
    messageCount += 1
    messages.append(Entry(number: messageCount, time: Self.now, message: message))
    if messages.count > Self.messageLimit { messages.removeFirst() }
  }

  mutating func add(_ gap: RecordingGap) {
    guard gap.isFilled, current != nil else { return }
    current?.gapCount += 1
    current?.filledSampleCount += gap.length
    current?.gaps.append(gap)
    if let count = current?.gaps.count, count > Self.gapLimit { current?.gaps.removeFirst() }
  }
}

// MARK: - For pages

extension RecorderState {
  /// Returns the state as JSON for pages.
  func json(folder: String) -> JSONValue {
    [
      "version": .text("\(AacornVersion.number)"), "folder": .text(folder),
      "phase": .text(phase.rawValue), "isMuted": .flag(isMuted),
      "isBypassed": .flag(isBypassed), "isHeard": .flag(isMonitored),
      "recording": current?.json ?? .null, "settings": request.json,
      "messages": .list(messages.map(\.json)), "last": last?.json ?? .null,
      "schemes": Self.schemes,
      "effectPresets": Self.effectPresets,
    ]
  }

  /// The names of predefined effect chains.
  private static var effectPresets: JSONValue {
    .list(EffectPreset.allCases.map { .text($0.rawValue) })
  }

  /// The supported address schemes of outputs, by the kind of their server.
  private static var schemes: JSONValue {
    .object(
      OutputStatus.Kind.allCases.filter(\.isServer).map { kind in
        let schemes = ServerURL.Scheme.allCases.filter { $0.kind == kind }
        return JSONValue.Member(kind.rawValue, .list(schemes.map { .text($0.rawValue) }))
      })
  }
}

extension RecorderState.Current {
  fileprivate var json: JSONValue {
    let rate = plan.configuration.sampleRate
    return [
      "name": .text(name), "format": .text(plan.request.format.rawValue),
      "sampleRate": .integer(rate),
      "samplesPerFrame": .integer(plan.configuration.timing.samplesPerUnit),
      "channels": .integer(plan.configuration.channelCount),
      "bitrate": .integer(plan.configuration.timing.nominalBitrate),
      "profile": .optional(plan.configuration.coding.profile?.keyword),
      "device": device.map { .object($0.members) } ?? .null,
      "startedAt": .integer(Int(startTime)), "isDeviceLost": .flag(isDeviceLost),
      "isSilent": .flag(isSilent),
      "gapCount": .integer(gapCount),
      "filledSeconds": .decimal(Double(filledSampleCount) / Double(rate), 3),
      "gaps": .list(gaps.map { $0.json(sampleRate: rate) }),
      "outputs": outputs.json,
    ]
  }
}

extension RecorderState.Entry {
  fileprivate var json: JSONValue {
    [
      "id": .integer(number), "at": .integer(Int(time)),
      "severity": .text(message.severity.rawValue),
      "text": .text(displayed(message.text)),
    ]
  }
}

extension StudioRecording {
  /// The recording as JSON for pages.
  var json: JSONValue { .object(members) }

  /// Returns the response to the request that ended the recording.
  func json(losses: [String]) -> JSONValue {
    .object(members + [.init("losses", .list(losses.map { .text(displayed($0)) }))])
  }

  private var members: [JSONValue.Member] {
    [
      .init("name", .text(name)), .init("seconds", .decimal(duration / .seconds(1), 3)),
      .init("bytes", .integer(byteCount)), .init("gapCount", .integer(gapCount)),
      .init("bitrate", .integer(bitrate)),
      .init("loudness", loudness.map { .decimal($0, 1) } ?? .null),
      .init("isSilent", .flag(isSilent)),
    ]
  }
}

extension RecordingGap {
  /// Returns the gap as JSON for pages, with position and length in seconds.
  fileprivate func json(sampleRate: Int) -> JSONValue {
    func seconds(_ samples: Int) -> JSONValue {
      .decimal(Double(samples) / Double(max(1, sampleRate)), 3)
    }
    return [
      "position": seconds(position), "length": seconds(length),
      "cause": .text(cause.rawValue), "at": .integer(Int(wallTime / 1_000_000)),
      "words": .optional(RecorderEvent.gap(self).message(sampleRate: sampleRate)?.text),
    ]
  }
}

extension Device {
  /// The device's identifier and name for pages.
  var members: [JSONValue.Member] {
    [
      .init("backend", .text(backend.rawValue)), .init("id", .text(id)),
      .init("name", .text(displayed(name.isEmpty ? id : name))),
    ]
  }
}

/// The status of the recorder, written by many threads and read for pages.
final class RecorderStatusStore: Sendable {
  private let state = Lock(RecorderState())
  private let folder: String
  private let onChange: @Sendable () -> Void

  /// Creates the status of an idle recorder; `onChange` is called at every change.
  init(folder: String, onChange: @escaping @Sendable () -> Void) {
    self.folder = folder
    self.onChange = onChange
  }

  /// The state for pages, as JSON on one line.
  var json: String { state.withLock { $0 }.json(folder: folder).encoded }

  var phase: RecorderState.Phase { state.withLock(\.phase) }
  var last: StudioRecording? { state.withLock(\.last) }
  var request: RecordingRequest { state.withLock(\.request) }

  /// Changes the state, and notifies the observer.
  func change(_ body: (inout RecorderState) -> Void) {
    state.withLock { body(&$0) }
    onChange()
  }

  func add(_ message: StudioMessage) { change { $0.add(message) } }

  // MARK: - Events

  /// Applies an event of a recording to the state.
  func apply(_ event: RecorderEvent, sampleRate: Int) {
    if case .outputFailed = event { return }
    change { state in
      if let message = StudioMessage(event, sampleRate: sampleRate) { state.add(message) }
      switch event {
      case .started(let device, _): state.setDevice(device)
      case .gap(let gap): state.add(gap)
      case .deviceLost, .suspended, .stalled: state.current?.isDeviceLost = true
      case .deviceReturned(let device), .deviceChanged(let device):
        state.setDevice(device)
        state.current?.isDeviceLost = false
      case .resumed: state.current?.isDeviceLost = false
      case .paused(let isPaused):
        if state.phase == .recording || state.phase == .paused {
          state.phase = isPaused ? .paused : .recording
        }
      case .muted(let isMuted): state.isMuted = isMuted
      case .monitor(.refused), .monitor(.stopped): state.isMonitored = false
      default: break
      }
    }
  }

  /// Applies an event of monitoring without a recording to the state.
  func applyMonitorEvent(_ event: RecorderEvent) {
    if let message = StudioMessage(whileListening: event) { add(message) }
    switch event {
    case .monitor(.refused), .monitor(.stopped): change { $0.isMonitored = false }
    case .muted(let isMuted): change { $0.isMuted = isMuted }
    default: break
    }
  }

  /// Updates the device's state regardless of its events: a device may disconnect without reporting
  /// it.
  func apply(_ status: RecordingStatus) {
    let isNew = state.withLock { state in
      guard var current = state.current,
        current.isDeviceLost != status.isDeviceLost || current.isSilent != status.isSilent
      else { return false }
      (current.isDeviceLost, current.isSilent) = (status.isDeviceLost, status.isSilent)
      state.current = current
      return true
    }
    if isNew { onChange() }
  }
}

extension RecorderState {
  fileprivate mutating func setDevice(_ device: Device?) {
    if let device { current?.device = device }
  }
}
