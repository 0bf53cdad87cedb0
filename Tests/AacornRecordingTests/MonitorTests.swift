import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

@Suite("Monitoring a recording", .simulated(seeds: 3)) struct MonitorTests {
  private final class Log: Sendable {
    let events = Lock<[MonitorEvent]>([])

    func take(_ event: RecorderEvent) {
      if case .monitor(let event) = event { events.withLock { $0.append(event) } }
    }

    func holds(_ event: MonitorEvent) -> Bool { events.withLock { $0.contains(event) } }
  }

  private func begin(
    _ log: Log, _ store: MemoryOutput.Store, isMuted: Bool = false
  ) throws -> (RecordingSession, HandFedSource) {
    var configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2, coding: .int16)
    configuration.isMuted = isMuted
    let session = RecordingSession(configuration, events: log.take)
    let source = HandFedSource()
    try session.start(source, outputs: [MemoryOutput(store)])
    return (session, source)
  }

  @Test(arguments: [MonitorConfiguration.Point.source, .recording])
  func monitorPlaysAudioOfItsPoint(point: MonitorConfiguration.Point) throws {
    let (log, store, target) = (Log(), MemoryOutput.Store(), HandPulledTarget())
    // Muting silences the monitor only at the recording point.
    let (session, source) = try begin(log, store, isMuted: point == .recording)
    session.setMonitor(MonitorConfiguration(point: point)) { () throws(PlaybackError) in target }
    #expect(eventually { log.holds(.started(target.device)) })
    let feed = try #require(target.feed)
    var played: [Float] = []
    #expect(
      eventually {
        source.deliver(480)
        played += target.pull(480)
        return feed.writtenFrameCount > 20_000
      })
    let hasSound = played.contains { $0 != 0 }
    #expect(hasSound == (point == .source))
    session.stop()
    let end = try finalSummary(of: session)
    #expect(end.failure == nil && end.sampleCount == source.nextFrame)
    #expect(eventually { target.isStopped })
  }

  @Test func resumeIsPassedToTargetAndSource() throws {
    let (log, store, target) = (Log(), MemoryOutput.Store(), HandPulledTarget())
    let (session, source) = try begin(log, store)
    session.setMonitor(MonitorConfiguration()) { () throws(PlaybackError) in target }
    #expect(eventually { log.holds(.started(target.device)) })
    #expect(target.resumptionCount == 0)
    session.setPaused(false)
    #expect(eventually { target.resumptionCount == 1 }, "The session resumes the target.")
    #expect(eventually { source.resumptionCount == 1 }, "The session resumes the source.")
    session.stop()
    _ = try finalSummary(of: session)
  }

  @Test func aDeviceThatTakesNothingCostsTheRecordingNothing() throws {
    let (log, store, target) = (Log(), MemoryOutput.Store(), HandPulledTarget())
    let (session, source) = try begin(log, store)
    session.setMonitor(MonitorConfiguration()) { () throws(PlaybackError) in target }
    #expect(eventually { target.feed != nil })
    for _ in 0..<500 {
      #expect(eventually { source.hasRoom(for: 480) })
      source.deliver(480)
    }
    session.stop()
    let end = try finalSummary(of: session)
    #expect(end.failure == nil && end.gapCount == 0 && end.sampleCount == 240_000)
  }

  @Test func recordingMonitorReceivesPauseEvent() throws {
    let (log, store) = (Log(), MemoryOutput.Store())
    let (session, source) = try begin(log, store)
    session.mixSink.isMonitored = true
    var events: [CaptureEvent] = []
    func readEvents() {
      var samples: [Float] = []
      while let block = session.mixSink.read(into: &samples, milliseconds: 0) {
        if block.event != .samples { events.append(block.event) }
      }
    }
    for count in 1...2 {
      session.setPaused(true)
      #expect(
        eventually {
          readEvents()
          return events.count == count
        })
      // The monitor receives the event before the session's status changes.
      #expect(eventually { session.takeStatus().isPaused })
      session.setPaused(false)
      #expect(eventually { !session.takeStatus().isPaused })
      source.deliver(480)
    }
    #expect(events == [.suspended, .suspended])
    session.stop()
    #expect(try finalSummary(of: session).failure == nil)
  }

  @Test func monitorOpeningFailureIsReportedOnly() throws {
    let (log, store) = (Log(), MemoryOutput.Store())
    let (session, source) = try begin(log, store)
    let reason = PlaybackError.deviceBusy(id: "x")
    session.setMonitor(MonitorConfiguration()) { () throws(PlaybackError) in throw reason }
    #expect(eventually { log.holds(.refused(reason)) })
    #expect(session.monitorStatus == nil)
    // A failed attempt does not prevent the next one.
    let target = HandPulledTarget()
    session.setMonitor(MonitorConfiguration()) { () throws(PlaybackError) in target }
    #expect(eventually { log.holds(.started(target.device)) })
    source.deliver(4800)
    session.stop()
    let end = try finalSummary(of: session)
    #expect(end.failure == nil && end.sampleCount == 4800)
  }

  @Test func monitorDeviceLossIsReported() throws {
    let (log, store, target) = (Log(), MemoryOutput.Store(), HandPulledTarget())
    let (session, source) = try begin(log, store)
    session.setMonitor(MonitorConfiguration()) { () throws(PlaybackError) in target }
    #expect(eventually { target.feed != nil })
    target.feed?.notify(.deviceLost)
    #expect(eventually { log.holds(.deviceLost) })
    target.feed?.notify(.deviceReturned)
    #expect(eventually { log.holds(.deviceReturned(target.device)) })
    source.deliver(480)
    session.stop()
    #expect(try finalSummary(of: session).sampleCount == 480)
  }

  @Test func monitorDeviceChangesAreReported() throws {
    let (log, store, target) = (Log(), MemoryOutput.Store(), HandPulledTarget())
    let (session, source) = try begin(log, store)
    session.setMonitor(MonitorConfiguration()) { () throws(PlaybackError) in target }
    #expect(eventually { log.holds(.started(target.device)) })
    // A device that resumes while it is being opened is not reported.
    target.feed?.notify(.resumed)
    target.feed?.notify(.suspended)
    target.feed?.notify(.resumed)
    target.feed?.notify(.deviceChanged)
    #expect(eventually { log.holds(.deviceChanged(target.device)) })
    let reported = log.events.withLock { $0.filter { $0 != .mayFeedBack } }
    #expect(
      reported == [.started(target.device), .suspended, .resumed, .deviceChanged(target.device)])
    source.deliver(480)
    session.stop()
    #expect(try finalSummary(of: session).sampleCount == 480)
  }

  @Test func theDeviceThatItIsMovedToIsNamed() {
    let speakers = PlaybackDevice(backend: .pulseAudio, id: "speakers", name: "Kitchen")
    #expect(MonitorEvent.deviceChanged(speakers).message == "Now monitoring on “Kitchen”.")
    for event in [MonitorEvent.deviceChanged(nil), .suspended, .resumed] {
      #expect(!event.isVerboseOnly && event.message?.hasSuffix(".") == true)
    }
    #expect(MonitorEvent.deviceChanged(nil).keyword == "device-changed")
  }

  @Test func monitorStopsWhenSwitchedOff() throws {
    let (log, store, target) = (Log(), MemoryOutput.Store(), HandPulledTarget())
    let (session, source) = try begin(log, store)
    session.setMonitor(MonitorConfiguration()) { () throws(PlaybackError) in target }
    #expect(eventually { target.feed != nil })
    session.setMonitor(nil)
    #expect(eventually { target.isStopped })
    #expect(session.monitorStatus == nil)
    source.deliver(480)
    session.stop()
    #expect(try finalSummary(of: session).sampleCount == 480)
  }

  @Test func anotherOutputTakesOver() throws {
    let (log, store) = (Log(), MemoryOutput.Store())
    let (session, source) = try begin(log, store)
    let targets = (0..<8).map { HandPulledTarget("output \($0)") }
    for target in targets {
      session.setMonitor(MonitorConfiguration()) { () throws(PlaybackError) in target }
    }
    let last = try #require(targets.last)
    #expect(eventually { log.holds(.started(last.device)) })
    #expect(
      eventually {
        source.deliver(480)
        _ = last.pull(480)
        return (last.feed?.writtenFrameCount ?? 0) > 4800
      })
    #expect(targets.dropLast().allSatisfy { $0.feed == nil || $0.isStopped })
    session.stop()
    let end = try finalSummary(of: session)
    #expect(end.failure == nil && end.sampleCount == source.nextFrame)
    #expect(eventually { last.isStopped })
    // After the end of the session no monitor can start.
    session.setMonitor(MonitorConfiguration()) { () throws(PlaybackError) in HandPulledTarget() }
    #expect(session.monitorStatus == nil)
  }

  @Test func feedbackIsPossibleWithinOneCard() {
    let microphone = CaptureDevice(
      backend: .pulseAudio, id: "alsa_input.pci-0000_00_1f.3.analog-stereo", name: "Built-in")
    var speakers = PlaybackDevice(
      backend: .pulseAudio, id: "alsa_output.pci-0000_00_1f.3.analog-stereo", name: "Built-in")
    #expect(Monitor.mayPickUp(microphone, speakers))
    speakers.name = "Built-in (Headphones)"
    #expect(!Monitor.mayPickUp(microphone, speakers))
    speakers = PlaybackDevice(backend: .pulseAudio, id: "alsa_output.usb-X.analog", name: "X")
    #expect(!Monitor.mayPickUp(microphone, speakers))
    let output = CaptureDevice(
      backend: .pulseAudio, id: "alsa_output.usb-X.analog.monitor", name: "Monitor of X",
      isMonitor: true)
    #expect(Monitor.mayPickUp(output, speakers))
    speakers.id = "alsa_output.usb-Y.analog"
    #expect(!Monitor.mayPickUp(output, speakers))
  }
}
