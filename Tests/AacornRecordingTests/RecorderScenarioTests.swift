import AacornDevices
import AacornSystem
import DeviceRigs
import Simulation
import TestSignals
import Testing

@testable import AacornRecording

/// Random actions of a user who records, on microphones that fail, in all orders of threads.
@Suite(.simulated(seeds: 25, with: [.starvation, .clockChanges]), .needsSimulation)
struct RecorderScenarioTests {
  @Test func eachStopLeavesACompleteFile() async throws {
    var user = try RecordingUser()
    let states = await user.model.states()
    let listener = Task { for await state in states { RecordingUser.expectAllowed(state) } }
    for _ in 0..<Int.random(in: 4...14, using: &user.numbers) { try await user.act() }
    await user.model.stop()
    try await user.examine()
    listener.cancel()
    await listener.value
  }
}

/// A user of a model, who starts, stops, mutes, resumes and deletes recordings.
private struct RecordingUser {
  var numbers = Simulation.numbers
  let model: RecorderModel
  private let folder: Folder
  /// The names of the recordings that are known to be complete.
  private var examined: Set<String> = []
  /// The recorders since the last examination, in the order of their starts.
  private let recorders: Lock<[(recorder: Recorder, source: any CaptureSource)]>

  init() throws {
    folder = try Folder()
    let isPCM = Bool.random(using: &numbers)
    let coding: RecordingConfiguration.Coding = isPCM ? .int16 : .constant(96_000)
    var sources: [any CaptureSource] = []
    for _ in 0..<20 { sources.append(Self.source(&numbers)) }
    let rest = Lock(sources)
    let recorders = Lock<[(recorder: Recorder, source: any CaptureSource)]>([])
    self.recorders = recorders
    model = RecorderModel(folder: folder.path, .stereo(coding)) { outputs, configuration in
      let source = rest.withLock { sources -> any CaptureSource in
        sources.isEmpty ? FailingSource() : sources.removeFirst()
      }
      let recorder = Recorder(from: source, to: outputs, configuration)
      recorders.withLock { $0.append((recorder, source)) }
      return recorder
    }
  }

  /// Returns a microphone, which is another one for each recording.
  private static func source(_ numbers: inout SeededNumbers) -> any CaptureSource {
    if Int.random(in: 0..<8, using: &numbers) == 0 {
      return FailingSource(.permissionDenied(id: "mic"))
    }
    var faults: [SyntheticFaults.Event] = []
    var frame = 0
    for _ in 0..<Int.random(in: 0...3, using: &numbers) {
      frame += Int.random(in: 5000...100_000, using: &numbers)
      let kinds: [SyntheticFaults.Kind] = [
        .loss(frameCount: 700, cause: .overrun), .silentLoss(frameCount: 4800),
        .absence(for: .milliseconds(Int.random(in: 50...3000, using: &numbers))),
        .exchange(.init(deviceID: "other", channelCount: 1)), .formatChange(channelCount: 1),
        .suspension(for: .milliseconds(500)), .failure(.deviceBusy(id: "test")),
      ]
      if let kind = kinds.randomElement(using: &numbers) { faults.append(.at(frame, kind)) }
    }
    let delay = [0, 0, 0, 2000].randomElement(using: &numbers) ?? 0
    return LateSource(.test(pacing: .realTime, faults: faults), milliseconds: delay)
  }

  mutating func act() async throws {
    let model = model
    switch Int.random(in: 0..<11, using: &numbers) {
    case 0...2: await model.start()
    case 3...4:
      await model.stop()
      try await examine()
    case 5...6:
      // The user does not wait for the last action.
      let taps = (0..<3).map { _ in
        Task {
          await model.start()
          await model.stop()
        }
      }
      System.sleep(milliseconds: Int.random(in: 0...500, using: &numbers))
      for tap in taps { await tap.value }
      try await examine()
    case 7: await model.setMuted(Bool.random(using: &numbers))
    case 8: await model.resume()
    case 9: try await delete()
    default: System.sleep(milliseconds: Int.random(in: 1000...4000, using: &numbers))
    }
    System.sleep(milliseconds: Int.random(in: 0...900, using: &numbers))
  }

  private func state() async throws -> RecorderModel.State {
    var states = await model.states().makeAsyncIterator()
    let state = await states.next()
    return try #require(state)
  }

  private mutating func delete() async throws {
    let recordings = try await state().recordings.filter { examined.contains($0.name) }
    guard let recording = recordings.randomElement(using: &numbers) else { return }
    try System.remove(recording.path)
    try? System.remove(recording.path + GapSidecar.ending)
    examined.remove(recording.name)
    await model.refresh()
    let rest = try await state().recordings
    #expect(!rest.contains(recording))
  }

  /// Expects that no recording runs, and that each recorder whose source delivered frames has left
  /// one complete file, which is listed.
  mutating func examine() async throws {
    let state = try await state()
    #expect(state.phase == .idle)
    let names = folder.names.filter { !$0.hasSuffix(GapSidecar.ending) }
    #expect(state.recordings.map(\.name).sorted() == names)
    #expect(examined.isSubset(of: names))
    let ended = recorders.withLock { recorders in
      defer { recorders = [] }
      return recorders
    }
    var durations: [Duration] = []
    for (recorder, source) in ended {
      let summary = await recorder.stop()
      if summary.sampleCount > 0 { durations.append(summary.duration) }
      // A shorter run may end before its first block, because a thread may rest for 0.3 s.
      let runSeconds = (source as? LateSource)?.runSeconds ?? 0
      #expect(summary.sampleCount > 0 || runSeconds < 1)
    }
    if !ended.isEmpty, state.duration > .zero { #expect(durations.last == state.duration) }
    let found = try names.filter { !examined.contains($0) }.map { name in
      Duration(samples: try folder.samples(name, pieces: 48_000).count / 2, at: 48_000)
    }
    #expect(found.sorted() == durations.sorted(), "Each recorder with frames has one file.")
    examined = Set(names)
  }

  static func expectAllowed(_ state: RecorderModel.State) {
    #expect(state.meter.count <= 2 && state.meter.allSatisfy { $0 >= 0 && $0 <= 1 })
    #expect(state.waveform.count <= RecorderModel.State.waveformLength)
    #expect(state.waveform.allSatisfy { $0 >= 0 && $0 <= 1 })
    #expect(state.duration >= .zero)
    #expect(Set(state.recordings.map(\.id)).count == state.recordings.count)
    #expect(state.recordings.allSatisfy { $0.byteCount > 0 }, "A listed recording is finished.")
    if state.isBusy { return }
    #expect(state.meter.isEmpty && state.interruption == nil && !state.isSilent)
  }
}

/// A microphone that opens after a time.
private final class LateSource: CaptureSource {
  private let base: FaultySource
  private let milliseconds: Int
  private let times = Lock((start: 0.0, end: 0.0))

  init(_ base: FaultySource, milliseconds: Int) {
    (self.base, self.milliseconds) = (base, milliseconds)
  }

  /// The time in seconds from the start to the stop; 0 before the stop.
  var runSeconds: Double { times.withLock { $0.end - $0.start } }

  var device: Device? { base.device }
  var failure: DeviceError? { base.failure }
  var followsClock: Bool { base.followsClock }
  var diagnostics: [String] { base.diagnostics }

  func start(_ sink: CaptureSink) throws(DeviceError) {
    if milliseconds > 0 { System.sleep(milliseconds: milliseconds) }
    try base.start(sink)
    let now = System.seconds
    times.withLock { $0 = (start: now, end: now) }
  }

  func resume() { base.resume() }

  func stop() {
    let now = System.seconds
    times.withLock { $0.end = now }
    base.stop()
  }
}
