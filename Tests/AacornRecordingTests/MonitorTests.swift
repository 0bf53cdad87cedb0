import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

@Suite("Monitoring a recording", .simulated(seeds: 3)) struct MonitorTests {
  private let log = RecordingLog()
  private let source = HandFedSource()
  private let target = HandPulledTarget()

  private func session(isMuted: Bool = false) throws -> RecordingSession {
    let session = log.session(.stereo(.int16) { $0.isMuted = isMuted })
    try session.start(source, outputs: [])
    return session
  }

  /// Plays a running recording on a target, and waits until that has started.
  private func monitor(
    _ session: RecordingSession, _ configuration: MonitorConfiguration = MonitorConfiguration(),
    on target: HandPulledTarget? = nil
  ) {
    let target = target ?? self.target
    session.setMonitor(configuration) { () throws(DeviceError) in target }
    #expect(eventually { log.contains(.monitor(.started(target.device))) })
  }

  /// Stops a recording that the monitor did not affect.
  private func stop(_ session: RecordingSession) throws {
    session.stop()
    let end = try finalSummary(of: session)
    #expect(end.failure == nil && end.gapCount == 0 && end.sampleCount == source.nextFrame)
  }

  @Test(arguments: [MonitorConfiguration.Point.source, .recording])
  func monitorPlaysAudioOfItsPoint(point: MonitorConfiguration.Point) throws {
    // Muting silences the monitor only at the recording point.
    let session = try session(isMuted: point == .recording)
    monitor(session, MonitorConfiguration(point: point))
    let feed = try #require(target.feed)
    var played: [Float] = []
    #expect(
      eventually {
        source.deliver(480)
        played += target.pull(480)
        return feed.writtenFrameCount > 20_000
      })
    #expect(played.contains { $0 != 0 } == (point == .source))
    try stop(session)
    #expect(eventually { target.isStopped })
  }

  @Test func monitoredSessionIsReleasedAtItsEnd() throws {
    weak var remains: RecordingSession?
    do {
      let session = try session()
      remains = session
      monitor(session)
      try stop(session)
    }
    #expect(eventually { remains == nil })
  }

  @Test func resumeIsPassedToTargetAndSource() throws {
    let session = try session()
    monitor(session)
    #expect(target.resumptionCount == 0)
    session.setPaused(false)
    #expect(eventually { target.resumptionCount == 1 }, "The session resumes the target.")
    #expect(eventually { source.resumptionCount == 1 }, "The session resumes the source.")
    try stop(session)
  }

  @Test func aDeviceThatTakesNothingCostsTheRecordingNothing() throws {
    let session = try session()
    monitor(session)
    for _ in 0..<500 {
      #expect(eventually { source.hasRoom(for: 480) })
      source.deliver(480)
    }
    try stop(session)
  }

  @Test func recordingMonitorReceivesPauseEvent() throws {
    let session = try session()
    session.mixSink.isMonitored = true
    var events: [DeviceEvent] = []
    func readEvents() {
      var samples: [Float] = []
      while let block = session.mixSink.read(into: &samples, milliseconds: 0) {
        if let event = block.event { events.append(event) }
      }
    }
    for count in 1...2 {
      session.setPaused(true)
      #expect(
        eventually {
          readEvents()
          return events.count == count
        })
      // A pause of many polls is reported once.
      System.sleep(milliseconds: 500)
      readEvents()
      #expect(events.count == count)
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
    let session = try session()
    let reason = DeviceError.deviceBusy(id: "x")
    session.setMonitor(MonitorConfiguration()) { () throws(DeviceError) in throw reason }
    #expect(eventually { log.contains(.monitor(.refused(reason))) })
    #expect(session.monitorStatus == nil)
    // A failed attempt does not prevent the next one.
    monitor(session)
    source.deliver(4800)
    try stop(session)
  }

  /// Source and target with one name belong to one card.
  @Test(arguments: ["headphones", "test"])
  func monitorDeviceChangesAreReported(name: String) throws {
    let session = try session()
    let target = HandPulledTarget(name)
    monitor(session, on: target)
    // A device that resumes while it is being opened is not reported.
    let notices: [DeviceEvent] = [
      .resumed, .suspended, .resumed, .deviceChanged, .deviceLost, .deviceReturned,
    ]
    for notice in notices { target.feed?.notify(notice) }
    let expected: [MonitorEvent] = [
      .started(target.device), .mayFeedBack, .suspended, .resumed, .deviceChanged(target.device),
      .mayFeedBack, .deviceLost, .deviceReturned(target.device), .mayFeedBack,
    ].filter { name == "test" || $0 != .mayFeedBack }
    var reported: [MonitorEvent] {
      log.events.compactMap { event in if case .monitor(let event) = event { event } else { nil } }
    }
    #expect(eventually { reported.count >= expected.count })
    #expect(reported == expected)
    source.deliver(480)
    try stop(session)
  }

  @Test func theDeviceThatItIsMovedToIsNamed() {
    let speakers = Device(backend: .pulseAudio, id: "speakers", name: "Kitchen")
    #expect(MonitorEvent.deviceChanged(speakers).message == "Now monitoring on “Kitchen”.")
    let events: [MonitorEvent] = [
      .started(nil), .refused(.deviceBusy(id: "x")), .deviceLost, .deviceReturned(nil),
      .deviceChanged(nil), .suspended, .resumed, .mayFeedBack, .feedback, .stopped,
    ]
    for event in events {
      #expect(event.isVerboseOnly == [.started(nil), .stopped].contains(event))
      #expect(event.message?.hasSuffix(".") == (event == .stopped ? nil : true))
    }
    #expect(
      events.map(\.keyword) == [
        "started", "refused", "device-lost", "device-returned", "device-changed", "suspended",
        "resumed", "may-feed-back", "feedback", "stopped",
      ])
  }

  /// A volume that is not a number is ignored.
  @Test(.needsSimulation) func volumeOfTheMonitorFollowsItsSetting() throws {
    let session = try session()
    monitor(session, MonitorConfiguration(volume: .nan))
    let volumes: [(volume: Float, isAudible: Bool)] = [
      (1, true), (.nan, true), (0, false), (.nan, false), (0.5, true),
    ]
    for (volume, isAudible) in volumes {
      session.setMonitorVolume(volume)
      var played: [Float] = []
      // The volume is reached after one block, and less than another one waits.
      for _ in 0..<4 {
        source.deliver(480)
        System.sleep(milliseconds: 2)
        played = target.pull(480)
      }
      #expect(played.contains { $0 != 0 } == isAudible)
    }
    try stop(session)
  }

  /// Without the notice of the pause, the monitor would rest after 50 ms.
  @Test(.needsSimulation) func pauseInterruptsTheMonitorImmediately() throws {
    let session = try session()
    monitor(session, MonitorConfiguration(point: .recording))
    let feed = try #require(target.feed)
    source.deliver(4800)
    System.sleep(milliseconds: 5)
    #expect(!feed.isWritingPaused)
    session.setPaused(true)
    System.sleep(milliseconds: 5)
    #expect(feed.isWritingPaused)
    try stop(session)
  }

  /// The monitor polls every 50 ms, but requests wake it.
  ///
  /// A muted recording distinguishes its samples from the source's.
  @Test(.needsSimulation, arguments: [MonitorConfiguration.Point.source, .recording])
  func monitorFollowsNewSourceAndStopsImmediately(point: MonitorConfiguration.Point) throws {
    let session = try session(isMuted: true)
    // The polls of the session and the monitor must differ.
    System.sleep(milliseconds: 20)
    monitor(session, MonitorConfiguration(point: point))
    let feed = try #require(target.feed)
    let other = HandFedSource("other")
    session.switchSource(to: other)
    #expect(eventually { log.contains(.deviceChanged(other.device)) })
    #expect(feed.writtenFrameCount == 0)
    other.deliver(480)
    System.sleep(milliseconds: 2)
    #expect(feed.writtenFrameCount > 400)
    #expect(target.pull(1000).contains { $0 != 0 } == (point == .source))
    session.setMonitor(nil)
    System.sleep(milliseconds: 2)
    #expect(target.isStopped)
    session.stop()
    #expect(try finalSummary(of: session).sampleCount == 480)
  }

  /// Two monitors never read one ring.
  @Test func nextMonitorWaitsForTheEndOfTheLast() throws {
    let session = try session()
    session.setMonitor(MonitorConfiguration()) { [target] () throws(DeviceError) in
      System.sleep(milliseconds: 1000)
      return target
    }
    System.sleep(milliseconds: 10)
    expectDuration(0.98...1.05) { monitor(session, on: HandPulledTarget("next")) }
    #expect(target.isStopped)
    source.deliver(480)
    try stop(session)
  }

  /// After 50 ms without input, the monitor rests.
  @Test(.needsSimulation) func missingInputIsNoUnderrun() throws {
    let session = try session()
    monitor(session)
    let feed = try #require(target.feed)
    for _ in 0..<2 {
      source.deliver(480)
      System.sleep(milliseconds: 49)
      #expect(!feed.isWritingPaused)
      System.sleep(milliseconds: 2)
      #expect(feed.isWritingPaused)
      _ = target.pull(9600)
    }
    #expect(feed.underrunCount == 0)
    feed.countUnderrun()
    source.deliver(480)
    System.sleep(milliseconds: 2)
    let status = try #require(session.monitorStatus)
    #expect(status.underrunCount == 1 && status.skipCount == 0 && status.feedbackGain == 1)
    try stop(session)
  }

  @Test(.needsSimulation, arguments: [MonitorConfiguration.Point.source, .recording])
  func latencyIsTheTimeFromCaptureToPlayback(point: MonitorConfiguration.Point) throws {
    let origin = System.nanoseconds
    let device = HandFedSource("mic", origin: origin)
    let session = log.session(.stereo(.int16))
    try session.start(device, outputs: [])
    monitor(session, MonitorConfiguration(point: point))
    let feed = try #require(target.feed)
    System.sleep(milliseconds: 10)
    feed.recordPresentation(frame: 0, soundsAt: System.nanoseconds)
    let delay = System.nanoseconds - origin
    device.deliver(480)
    System.sleep(milliseconds: 2)
    let latency = try #require(session.monitorStatus).latency
    // The device captured the last frame 10 ms after the origin, and has read nothing.
    let exact = delay - 10_000_000 + Int64(feed.writtenFrameCount) * 1_000_000_000 / 48_000
    if point == .source {
      let error = try #require(latency) - .nanoseconds(exact)
      #expect(error >= .zero && error < .milliseconds(1))
    } else {
      #expect(latency == nil, "The time of the recorded samples is not known.")
    }
    session.stop()
    #expect(try finalSummary(of: session).failure == nil)
  }

  @Test(arguments: [true, false]) func monitorPlaysOnTheRequestedDevice(isInitial: Bool) throws {
    let wanted = MonitorConfiguration(backend: .synthetic)
    let session = log.session(.stereo(.int16) { $0.monitor = isInitial ? wanted : nil })
    try session.start(source, outputs: [])
    if !isInitial { session.setMonitor(wanted) }
    let isStarted = eventually {
      log.events.contains { if case .monitor(.started) = $0 { true } else { false } }
    }
    #expect(isStarted)
    session.setMonitor(MonitorConfiguration(device: "none", backend: .synthetic))
    let isRefused = eventually {
      log.events.contains { if case .monitor(.refused) = $0 { true } else { false } }
    }
    #expect(isRefused)
    source.deliver(480)
    try stop(session)
  }

  @Test func monitorStopsWhenSwitchedOff() throws {
    let session = try session()
    monitor(session)
    session.setMonitor(nil)
    #expect(eventually { target.isStopped })
    #expect(session.monitorStatus == nil)
    source.deliver(480)
    try stop(session)
  }

  @Test func anotherOutputTakesOver() throws {
    let session = try session()
    let targets = (0..<8).map { HandPulledTarget("output \($0)") }
    for target in targets.dropLast() {
      session.setMonitor(MonitorConfiguration()) { () throws(DeviceError) in target }
    }
    let last = targets[7]
    monitor(session, on: last)
    #expect(
      eventually {
        source.deliver(480)
        _ = last.pull(480)
        return (last.feed?.writtenFrameCount ?? 0) > 4800
      })
    #expect(targets.dropLast().allSatisfy { $0.feed == nil || $0.isStopped })
    try stop(session)
    #expect(eventually { last.isStopped })
    // After the end of the session no monitor can start.
    session.setMonitor(MonitorConfiguration()) { () throws(DeviceError) in HandPulledTarget() }
    #expect(session.monitorStatus == nil)
  }

  @Test func feedbackIsPossibleWithinOneCard() {
    let microphone = Device(
      backend: .pulseAudio, id: "alsa_input.pci-0000_00_1f.3.analog-stereo", name: "Built-in")
    var speakers = Device(
      backend: .pulseAudio, id: "alsa_output.pci-0000_00_1f.3.analog-stereo", name: "Built-in")
    #expect(Monitor.mayPickUp(microphone, speakers))
    speakers.name = "Built-in (Headphones)"
    #expect(!Monitor.mayPickUp(microphone, speakers))
    speakers = Device(backend: .pulseAudio, id: "alsa_output.usb-X.analog", name: "X")
    #expect(!Monitor.mayPickUp(microphone, speakers))
    let output = Device(
      backend: .pulseAudio, id: "alsa_output.usb-X.analog.monitor", name: "Monitor of X",
      isMonitor: true)
    #expect(Monitor.mayPickUp(output, speakers))
    speakers.id = "alsa_output.usb-Y.analog"
    #expect(!Monitor.mayPickUp(output, speakers))
    #expect(!Monitor.mayPickUp(nil, speakers) && !Monitor.mayPickUp(microphone, nil))
    let card = Device(backend: .alsa, id: "hw:CARD=PCH,DEV=0", name: "PCH")
    for (backend, id, isSame) in [
      (DeviceBackend.alsa, "hw:CARD=PCH,DEV=3", true), (.alsa, "hw:CARD=USB,DEV=0", false),
      (.pulseAudio, "hw:CARD=PCH,DEV=3", false),
    ] {
      let output = Device(backend: backend, id: id, name: "Line")
      #expect(Monitor.mayPickUp(card, output) == isSame)
    }
  }
}
