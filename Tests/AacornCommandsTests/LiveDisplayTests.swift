import AacornDevices
import AacornRecording
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornCommands

/// The warnings of a recording or a stream in progress, on virtual time.
@Suite(.simulated(seeds: 3), .needsSimulation) struct LiveDisplayTests {
  /// Displays events, and returns the printed errors.
  private func errors(_ plan: LivePlan, _ events: [RecorderEvent]) -> String {
    let captured = CapturedConsole()
    let display = LiveDisplay(plan, in: captured.console)
    let statusStore = LiveStatusStore(plan) { display.enqueue($0) }
    display.start(statusStore, hasKeys: false)
    for event in events { display.enqueue(.sound(event)) }
    _ = display.finish(statusStore)
    return captured.errors
  }

  @Test func missingSoundIsReported() throws {
    let text = "The device delivers no audio. Check that it is connected and turned on.\n"
    #expect(try errors(LivePlan.recording("a.m4a"), [.stalled]) == "aacorn: " + text)
    #expect(try errors(LivePlan(["--save", "a.m4a"]), [.stalled]) == "aacorn: " + text)
    #expect(try errors(LivePlan.recording("a.m4a", "--quiet"), [.stalled]).isEmpty)
    let plan = try LivePlan.recording("a.m4a", "--source", "a=hw:1", "--source", "b=hw:2")
    #expect(errors(plan, [.track("b", .stalled)]) == "aacorn: Track “b”: " + text)
  }

  /// The device delivers a second of audio, and then nothing, so silence fills the time.
  @Test func stalledDeviceIsShownAsStalled() throws {
    let statusStore = LiveStatusStore(try LivePlan(["--save", "a.m4a"])) { _ in }
    let source = PushSource(sampleRate: 48_000, channelCount: 2, isLive: true)
    let session = RecordingSession(RecordingConfiguration(sampleRate: 48_000, channelCount: 2))
    statusStore.watch(session)
    try session.start(source, outputs: [])
    defer { session.stop() }
    let samples = [Float](repeating: 0.5, count: 960)
    for _ in 0..<100 {
      System.sleep(milliseconds: 10)
      source.push(samples)
    }
    let flowing = statusStore.snapshot()
    #expect(flowing.isFlowing && !flowing.sound.isStalled)
    System.sleep(milliseconds: 5000)
    let stalled = statusStore.snapshot()
    #expect(stalled.sound.sampleCount > flowing.sound.sampleCount)
    #expect(!stalled.isFlowing && stalled.sound.isStalled)
  }

  @Test func endedRunReleasesItsStatusStore() throws {
    let folder = TemporaryFolder()
    for (path, status) in [
      ("/nonexistent/a.m4a", AacornCommands.ExitStatus.cannotWrite),
      (folder.path("a.m4a"), .success),
    ] {
      weak var remains: LiveStatusStore?
      do {
        let captured = CapturedConsole()
        let plan = try LivePlan.recording(path, "--device", "tone", "--duration", "2", "--unpaced")
        let source = try RecordSource(plan.sound, plan.configuration)
        var run = LiveRun(plan, source, in: captured.console)
        remains = run.statusStore
        let end = run.run()
        #expect(end == status, "\(captured.errors)")
      }
      #expect(eventually { remains == nil })
    }
  }
}
