import AacornDevices
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornRecording

/// Devices in one room: each one captures frame n of the same audio n/48,000 s after the room's beginning.
private final class Room: Sendable {
  fileprivate struct State {
    var numbers: SeededNumbers
    var devices: [HandFedSource] = []
    /// The devices that deliver or are absent, with the time of the next fault and of the return, and the frame from
    /// which a fault is possible: two differences within a tenth of a second cannot be distinguished.
    var running: [String: (faultTime: Int64, returnTime: Int64?, faultFrame: Int)] = [:]
    /// The first frame that the next device to start delivers.
    var position = 0
    var firstFrame: Int?
  }

  let origin = System.nanoseconds
  private let state: Lock<State>
  private let isFinished = Atomic(false)

  init(_ numbers: SeededNumbers) { state = Lock(State(numbers: numbers)) }

  /// The first frame that a device has delivered.
  var firstFrame: Int? { state.withLock(\.firstFrame) }

  /// The frame after the last one that a device has delivered.
  var endFrame: Int { state.withLock { $0.devices.map(\.nextFrame).max() ?? 0 } }

  /// Adds a device, which delivers from its start on.
  func device() -> HandFedSource {
    state.withLock { state in
      let device = HandFedSource("\(state.devices.count)", origin: origin)
      state.devices.append(device)
      return device
    }
  }

  func end() { isFinished.store(true, ordering: .releasing) }

  /// Delivers blocks with random faults until the end.
  func run() {
    while !isFinished.load(ordering: .acquiring) {
      let pause = state.withLock { state in
        // Sometimes the system delivers late.
        let longest = Int.random(in: 0..<40, using: &state.numbers) == 0 ? 1500 : 30
        return Int.random(in: 1...longest, using: &state.numbers)
      }
      System.sleep(milliseconds: pause)
      state.withLock { $0.deliver(until: System.nanoseconds, origin) }
    }
  }
}

extension Room.State {
  mutating func deliver(until now: Int64, _ origin: Int64) {
    let end = Int((now - origin) * 48 / 1_000_000)
    for device in devices where device.isRunning {
      let name = device.device?.id ?? ""
      let isFirst = running[name] == nil
      var (faultTime, returnTime, faultFrame) = running[name] ?? (now, nil, 0)
      if isFirst {
        // A difference of a few milliseconds to an absent device would not be detected.
        let isLate = running.values.contains { $0.returnTime != nil }
        device.skip(position - device.nextFrame + (isLate ? 960 : 0))
        firstFrame = firstFrame ?? device.nextFrame
        faultFrame = device.nextFrame + 14_400
      }
      if let time = returnTime {
        if time > now { continue }
        returnTime = nil
        device.skip(end - device.nextFrame)
        device.notify(.deviceReturned)
        faultFrame = device.nextFrame + 14_400
      }
      let count = end - device.nextFrame
      if now >= faultTime, device.nextFrame >= faultFrame, count > 0 {
        faultTime = now + .random(in: 0...1_500_000_000, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: device.lose(Int.random(in: 0..<count, using: &numbers))
        case 1: if count > 1000 { device.skip(Int.random(in: 960..<count, using: &numbers)) }
        default:
          device.deliver(count)
          device.notify(.deviceLost)
          returnTime = now + .random(in: 50_000_000...3_000_000_000, using: &numbers)
        }
        faultFrame = device.nextFrame + 14_400
      }
      if returnTime == nil { device.deliver(end - device.nextFrame) }
      running[name] = (faultTime, returnTime, faultFrame)
    }
    position = end
  }
}

/// Random losses, absences and requests, in all orders of threads.
@Suite(.simulated(seeds: 40, with: [.starvation, .clockChanges])) struct RecordingScenarioTests {
  private let store = MemoryOutput.Store()
  private let events = Lock<[RecorderEvent]>([])

  @Test func everyFrameIsRecordedOrInAGap() throws {
    var numbers = Simulation.numbers
    let room = Room(numbers)
    let thread = try #require(WorkerThread("test") { room.run() })
    defer {
      room.end()
      thread.join()
    }
    let broken = MemoryOutput(
      MemoryOutput.Store(), failingAt: Int.random(in: 0...50, using: &numbers))
    let session = RecordingSession(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16)
    ) { [events] event in
      events.withLock { $0.append(event) }
    }
    let isAlone = Bool.random(using: &numbers)
    try session.start(
      room.device(), outputs: [MemoryOutput(store)] + (isAlone ? [] : [broken]))
    var sleptFrameCount = 0
    for _ in 0..<Int.random(in: 0...8, using: &numbers) {
      System.sleep(milliseconds: Int.random(in: 0...700, using: &numbers))
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: session.setPaused(true)
      case 1: session.setPaused(false)
      case 2: session.startNewSegment()
      case 3: session.switchSource(to: room.device())
      case 4:
        session.setPaused(false)
        System.sleep(milliseconds: 1000)
        guard session.takeStatus().sampleCount > 0 else { break }
        let milliseconds = Int.random(in: 50...3000, using: &numbers)
        Simulation.putToSleep(milliseconds: milliseconds)
        // Shorter sleeps do not count.
        if milliseconds > 100 { sleptFrameCount += 48 * milliseconds }
        System.sleep(milliseconds: 1000)
      default: System.sleep(milliseconds: 2500)
      }
    }
    let stopTime = System.nanoseconds
    session.stop()
    let summary = try finalSummary(of: session)
    #expect(Double(System.nanoseconds - stopTime) * 1e-9 < 0.01 + 2 * Simulation.maxDelay)
    #expect(summary.failure == nil && !summary.outputs.isEmpty == (summary.sampleCount > 0))
    // The summary is available slightly before the event.
    let isReported = eventually { self.events.withLock { $0.last } == .stopped(summary) }
    #expect(isReported)
    let events = self.events.withLock { $0 }
    expectOrder(of: events, summary)
    try expectSegments(summary)
    guard let first = room.firstFrame, events.contains(where: \.isStart) else {
      return #expect(summary.sampleCount == 0)
    }
    let bytes = store.segments.withLock { $0.flatMap { $0.packets.flatMap(\.bytes) } }
    let end = expectSamples(bytes, summary.ledger.gaps, from: first)
    let slept = summary.ledger.gaps.reduce(0) { $0 + ($1.cause == .suspended ? $1.length : 0) }
    #expect(slept == sleptFrameCount)
    // Silence lasts until the stop if the device was absent or late.
    let stopFrame = Int((stopTime - room.origin) * 48 / 1_000_000)
    #expect(end == room.endFrame || abs(end - stopFrame) < 50)
    System.sleep(milliseconds: 2000)
    #expect(self.events.withLock { $0 } == events, "Nothing is reported after the end.")
  }

  private var log: String {
    events.withLock { $0 }.map { event in
      if case .gap(let gap) = event {
        "\(gap.cause) \(gap.position)+\(gap.length)"
      } else {
        "\("\(event)".prefix(30))"
      }
    }.joined(separator: ", ")
  }

  private func expectOrder(of events: [RecorderEvent], _ summary: RecordingSummary) {
    #expect(events.count(where: \.isStart) <= 1)
    #expect(events.last == .stopped(summary))
    var (isPaused, isLost, closedCount) = (false, false, 0)
    for event in events {
      switch event {
      case .paused(let value):
        #expect(value != isPaused)
        isPaused = value
      case .deviceLost:
        #expect(!isLost)
        isLost = true
      case .deviceReturned:
        #expect(isLost)
        isLost = false
      case .deviceChanged: isLost = false
      case .outputClosed(let output): closedCount += output.name == "memory" ? 1 : 0
      case .outputFailed(let name, _): #expect(name == "broken")
      default: break
      }
    }
    #expect(!isPaused, "The end resumes a pause.")
    #expect(closedCount == store.segments.withLock { $0.count })
    let gaps = events.compactMap { event in
      if case .gap(let gap) = event { gap } else { nil }
    }
    #expect(gaps == summary.ledger.gaps)
  }

  private func expectSegments(_ summary: RecordingSummary) throws {
    let segments = store.segments.withLock { $0 }
    var position = 0
    var filledCount = 0
    for segment in segments {
      #expect(segment.start.position == position)
      for packet in segment.packets {
        #expect(packet.position == position)
        position += packet.sampleCount
      }
      let end = try #require(segment.end)
      #expect(end.sampleCount == position - segment.start.position)
      for gap in segment.gaps where gap.isFilled {
        #expect(gap.position >= segment.start.position && gap.position + gap.length <= position)
        filledCount += gap.length
      }
    }
    #expect(position == summary.sampleCount)
    #expect(filledCount == summary.filledSampleCount)
  }

  /// The bytes of the room's samples until they repeat, and of some more.
  private static let counter = (0..<65_536 + 16).flatMap { frame in
    (0..<2).flatMap { channel in
      let value = Int16(CounterSignal.value(frame: frame, channel: channel) * 32_768)
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
  }

  /// Compares the samples with those of the room, and returns the frame of the room at the end.
  private func expectSamples(_ bytes: [UInt8], _ gaps: [RecordingGap], from first: Int) -> Int {
    var (position, frame) = (0, first)
    /// Whether bytes of the recording are equal to others from a frame on; memory is compared because the test is not
    /// optimized.
    func isEqual(_ count: Int, to other: [UInt8], from first: Int) -> Bool {
      bytes.withUnsafeBytes { bytes in
        other.withUnsafeBytes { other in
          guard let one = bytes.baseAddress, let two = other.baseAddress else { return count == 0 }
          return memcmp(one + 4 * position, two + 4 * first, 4 * count) == 0
        }
      }
    }
    func passRoom(_ count: Int) -> Bool {
      var rest = count
      while rest > 0 {
        let first = frame % 65_536
        let piece = min(rest, 65_536 - first)
        guard isEqual(piece, to: Self.counter, from: first) else { return false }
        (position, frame, rest) = (position + piece, frame + piece, rest - piece)
      }
      return true
    }
    let length = bytes.count / 4
    // A device that returns up to 4 ms early or late is accepted as punctual.
    var canBeShifted = false
    var following = gaps.map(\.position).sorted()[...]
    for gap in gaps.sorted(by: { $0.position < $1.position }) {
      following.removeFirst()
      let end = gap.position + (gap.isFilled ? gap.length : 0)
      guard gap.position >= position, end <= length else {
        Issue.record("The gaps overlap or are too long: \(log)")
        return frame
      }
      guard passRoom(gap.position - position) else {
        Issue.record("A sample of \(position)..<\(gap.position) is wrong: \(log)")
        return frame
      }
      if gap.isFilled {
        let isSilent = isEqual(
          gap.length, to: [UInt8](repeating: 0, count: 4 * gap.length), from: 0)
        #expect(isSilent, "\(gap)")
        position = end
      }
      // While the computer sleeps, the clock of the room stops.
      if gap.cause != .suspended { frame += gap.length }
      canBeShifted = canBeShifted || gap.cause == .deviceLost
      let next = following.first ?? length
      if canBeShifted, next - position >= 16 {
        let shifts = (-192...192).sorted { abs($0) < abs($1) }
        frame += shifts.first { isEqual(16, to: Self.counter, from: (frame + $0) % 65_536) } ?? 0
        canBeShifted = false
      }
      #expect(gap.cause != .surplus)
    }
    let isOfTheRoom = passRoom(length - position)
    #expect(isOfTheRoom, "A sample after \(position) is wrong: \(log)")
    return frame
  }
}

extension RecorderEvent {
  fileprivate var isStart: Bool {
    if case .started = self { true } else { false }
  }
}
