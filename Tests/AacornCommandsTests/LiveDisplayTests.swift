import AacornRecording
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornCommands

/// The warnings of a recording or a stream in progress, on virtual time.
@Suite(.simulated(seeds: 3), .needsSimulation) struct LiveDisplayTests {
  /// Displays events for ten seconds, and returns the printed errors.
  private func errors(_ plan: LivePlan, _ events: [RecorderEvent] = []) -> String {
    let captured = CapturedConsole()
    let display = LiveDisplay(plan, in: captured.console)
    let statusStore = LiveStatusStore(plan) { display.enqueue($0) }
    display.start(statusStore, hasKeys: false)
    for event in events { display.enqueue(.sound(event)) }
    System.sleep(milliseconds: 10_000)
    _ = display.finish(statusStore)
    return captured.errors
  }

  @Test func missingSoundIsReportedOnce() throws {
    let warning = "aacorn: Warning: No sound has arrived yet. The "
    #expect(
      try errors(LivePlan.recording("a.m4a"))
        == warning + "recording starts with the first sound.\n")
    #expect(
      try errors(LivePlan(["--save", "a.m4a"])) == warning + "stream starts with the first sound.\n"
    )
    #expect(try errors(LivePlan.recording("a.m4a", "--quiet")).isEmpty)
  }

  @Test func silentTrackIsReportedOnce() throws {
    let plan = try LivePlan.recording("a.m4a", "--source", "a=hw:1", "--source", "b=hw:2")
    let warning = "No sound has arrived from “b” yet; the track is silent until then."
    #expect(errors(plan, [.started(nil, wallTime: 0)]) == "aacorn: Warning: \(warning)\n")
    #expect(!errors(plan, [.started(nil, wallTime: 0), .trackEnded("b")]).contains(warning))
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
