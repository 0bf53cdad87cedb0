import AacornDevices
import AacornSignal
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

private struct RefusingOutput: SilentOutput {
  static let error = OutputError(.connection, "The server was disconnected.")

  let name = "server"

  mutating func begin(_ segment: SegmentStart) throws(OutputError) { throw Self.error }
}

/// The state that a screen shows of recordings that the user starts and stops.
@Suite(.timeLimit(.minutes(4 * TestTimeout.minutes)), .simulated(seeds: 3))
struct RecorderModelTests {
  private let folder: Folder
  private let device = HandFedSource()

  init() throws { folder = try Folder() }

  /// A model that records from these devices, one per recording, or from the only device.
  private func makeModel(_ sources: any CaptureSource...) -> RecorderModel {
    let rest = Lock<[any CaptureSource]>(sources.isEmpty ? [device] : sources)
    return RecorderModel(folder: folder.path) { outputs, configuration in
      let source = rest.withLock { $0.removeFirst() }
      return Recorder(from: source, to: outputs, configuration)
    }
  }

  /// The first state that satisfies a condition, starting with the current state.
  private func state(
    of model: RecorderModel, where condition: (RecorderModel.State) -> Bool = { _ in true }
  ) async throws -> RecorderModel.State {
    var found: RecorderModel.State?
    for await state in await model.states() {
      guard condition(state) else { continue }
      found = state
      break
    }
    return try #require(found)
  }

  @Test func aRecordingIsMeasuredAndThenListed() async throws {
    let model = makeModel()
    let first = try await state(of: model)
    #expect(first == RecorderModel.State())
    await model.start()
    #expect(device.deliver(72_000))
    let running = try await state(of: model) { $0.duration >= .seconds(1) }
    #expect(running.phase == .recording)
    #expect(running.meter.count == 2 && running.meter.allSatisfy { $0 > 0.7 && $0 <= 1 })
    #expect(!running.waveform.isEmpty && running.waveform.allSatisfy { $0 > 0.2 && $0 <= 1 })
    #expect(running.recordings.isEmpty, "An unfinished file is not in the list.")
    await model.stop()
    let end = try await state(of: model)
    #expect(end.phase == .idle && end.message == nil && end.meter.isEmpty)
    #expect(end.duration == .milliseconds(1500))
    let recording = try #require(end.recordings.first)
    #expect(end.recordings.map(\.name) == folder.names)
    #expect(recording.name.hasPrefix("recording-") && recording.name.hasSuffix(".m4a"))
    let bytes = try folder.bytes(recording.name)
    #expect(recording.byteCount == bytes.count)
  }

  @Test func onlyFinishedRecordingsAreListedTheNewestFirst() async throws {
    for name in ["b.m4a", "a.aac", "notes.txt", ".hidden.m4a"] { try folder.write([0], to: name) }
    try System.makeFolder(folder.file("folder.m4a"))
    let model = makeModel()
    await model.refresh()
    let recordings = try await state(of: model).recordings
    #expect(recordings.map(\.name).sorted() == ["a.aac", "b.m4a"])
    #expect(recordings.map(\.wallTime) == recordings.map(\.wallTime).sorted(by: >))
  }

  @Test(.realTime) func anInterruptionIsShownUntilSoundIsBack() async throws {
    let model = makeModel()
    await model.start()
    #expect(device.deliver(4800))
    device.notify(.suspended)
    let suspended = try await state(of: model) { $0.interruption != nil }
    #expect(suspended.interruption == .suspended)
    await model.resume()
    let isResumed = try await eventuallyYielding { device.resumptionCount == 1 }
    #expect(isResumed)
    device.notify(.resumed)
    _ = try await state(of: model) { $0.interruption == nil }
    device.notify(.deviceLost)
    let lost = try await state(of: model) { $0.interruption != nil }
    #expect(lost.interruption == .deviceLost)
    device.notify(.deviceReturned)
    _ = try await state(of: model) { $0.interruption == nil }
    device.notify(.suspended)
    _ = try await state(of: model) { $0.interruption == .suspended }
    await model.stop()
    let end = try await state(of: model)
    #expect(end.phase == .idle && end.interruption == nil)
  }

  @Test func muteBeforeStartLastsUntilUnmuted() async throws {
    let model = makeModel()
    await model.setMuted(true)
    await model.start()
    #expect(device.deliver(48_000))
    let muted = try await state(of: model) { $0.duration >= .milliseconds(500) }
    #expect(muted.isMuted && muted.meter == [0, 0])
    #expect(muted.waveform.allSatisfy { $0 == 0 })
    await model.setMuted(false)
    // Samples are audible from now on. The test cannot know how many were consumed before.
    _ = try await state(of: model) { state in
      device.deliver(4800)
      return state.meter.contains { $0 > 0 }
    }
    await model.stop()
    let end = try await state(of: model)
    #expect(!end.isMuted)
  }

  @Test func aMicrophoneThatCannotBeHadIsExplained() async throws {
    let model = makeModel(FailingSource(.permissionDenied(id: "mic")), device)
    await model.start()
    let refused = try await state(of: model)
    #expect(refused.phase == .idle && refused.recordings.isEmpty)
    #expect(
      refused.message == RecordingError.capture(.permissionDenied(id: "mic")).message)
    #expect(folder.names.isEmpty)
    await model.start()
    let recording = try await state(of: model)
    #expect(recording.phase == .recording && recording.message == nil)
    #expect(device.deliver(4800))
    await model.stop()
    #expect(folder.names.count == 1)
  }

  @Test func stoppingDoesNotWaitForADeviceThatOpens() async throws {
    let device = SlowSource()
    defer { device.open() }
    let model = makeModel(device)
    let starting = Task { await model.start() }
    _ = try await state(of: model) { $0.phase == .opening }
    await model.stop()
    await starting.value
    let end = try await state(of: model)
    #expect(end.phase == .idle && end.message == nil && end.recordings.isEmpty)
  }

  @Test func fileRecordingContinuesAfterServerFailure() async throws {
    let model = makeModel()
    await model.start(alsoTo: [RefusingOutput()])
    #expect(device.deliver(48_000))
    let running = try await state(of: model) { $0.message != nil }
    #expect(running.message == RefusingOutput.error.message && running.phase == .recording)
    await model.stop()
    let end = try await state(of: model)
    #expect(end.message == RefusingOutput.error.message && end.recordings.count == 1)
  }

  @Test func listenersEndWithTheModel() async throws {
    var model: RecorderModel? = makeModel()
    let optionalStates = await model?.states()
    let states = try #require(optionalStates)
    model = nil
    var count = 0
    for await _ in states { count += 1 }
    #expect(count == 1)
  }

  @Test func theWaveformIsThatOfTenSeconds() {
    var meter = LevelMeter(channelCount: 1, sampleRate: 48_000)
    var state = RecorderModel.State()
    for number in 1...RecorderModel.State.waveformLength + 50 {
      let samples = [Float](repeating: Float(number) / 1024, count: 2400)
      meter.process(samples.span)
      state.append(RecordingLevels(position: number * 2400, channels: meter.levels))
    }
    #expect(state.waveform.count == RecorderModel.State.waveformLength)
    #expect(state.waveform.first == 51.0 / 1024 && state.waveform.last == 250.0 / 1024)
  }

  @Test(
    arguments: [(0, 0), (0.001, 0), (0.000_1, 0), (0.031_622_776, 0.5), (1, 1), (2, 1)]
      as [(Float, Float)])
  func theMeterShowsSixtyDecibels(sample: Float, height: Float) throws {
    var meter = LevelMeter(channelCount: 1, sampleRate: 48_000)
    let samples = [Float](repeating: sample, count: 2400)
    meter.process(samples.span)
    var state = RecorderModel.State()
    state.append(RecordingLevels(position: 0, channels: meter.levels))
    let shown = try #require(state.meter.first)
    #expect(abs(shown - height) < 1e-5)
  }
}
