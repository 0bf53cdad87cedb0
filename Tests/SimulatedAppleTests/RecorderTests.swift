#if SIMULATED_IOS
import AacornDevices
import AacornRecording
import AacornSystem
import SimulatedApple
import SimulatedAudio
import Testing

extension OnSimulatedApple {
  /// Whole recordings on a phone, in the time of the machine.
  @Suite struct Recordings {
    init() {
      SimulatedSystem.reset()
      SimulatedSound.signal = { _, frame, channel in
        CounterSignal.value(frame: frame, channel: channel)
      }
    }

    /// A recording as samples, which can be compared with what the microphone heard.
    private static var configuration: RecordingConfiguration {
      RecordingConfiguration(sampleRate: 48_000, channelCount: 1, coding: .int16)
    }

    /// All samples of a recording that has ended.
    private func samples(of recorder: Recorder) async -> [Int16] {
      var samples: [Int16] = []
      for await packet in recorder.packets {
        for index in stride(from: 0, to: packet.bytes.count - 1, by: 2) {
          samples.append(
            Int16(truncatingIfNeeded: Int(packet.bytes[index]) | Int(packet.bytes[index + 1]) << 8))
        }
      }
      return samples
    }

    /// The lengths of the stretches that count on without a break, other than in silence.
    private func stretches(_ samples: [Int16]) -> [Int] {
      var lengths: [Int] = []
      var length = 0
      for (index, sample) in samples.enumerated() {
        let isNext = index > 0 && sample == samples[index - 1] &+ 7
        if isNext { length += 1 }
        if !isNext || index == samples.count - 1 {
          if length > 0 { lengths.append(length + 1) }
          length = 0
        }
      }
      return lengths
    }

    @Test func aRecordingHasEverySample() async throws {
      let clock = SimulatedClockThread()
      var configuration = Self.configuration
      configuration.duration = .milliseconds(500)
      let recorder = Recorder(from: CaptureRequest(), to: [], configuration)
      try await recorder.start()
      let summary = await recorder.end()
      clock.end()
      #expect(summary.sampleCount == 24_000)
      #expect(summary.gapCount == 0)
      #expect(stretches(await samples(of: recorder)) == [24_000])
      expectOrder()
    }

    @Test func aCallBecomesSilenceThatIsAccountedFor() async throws {
      let clock = SimulatedClockThread()
      let recorder = Recorder(from: CaptureRequest(), to: [], Self.configuration)
      try await recorder.start()
      var summary: RecordingSummary?
      var told: [String] = []
      for await event in recorder.events {
        switch event {
        case .started: SimulatedPhone.call()
        case .suspended:
          told.append("suspended")
          let start = SimulatedTime.seconds
          #expect(comesTrue { SimulatedTime.seconds > start + 0.2 }, "The call lasts.")
          // Nobody tells that it is over.
          SimulatedPhone.hangUp(telling: false)
          await recorder.resume()
        case .resumed:
          told.append("resumed")
          summary = await recorder.stop()
        default: break
        }
      }
      clock.end()
      #expect(told == ["suspended", "resumed"])
      let end = try #require(summary)
      #expect(end.failure == nil)
      #expect(end.gapCount == 1)
      // At least as long as the call.
      #expect(end.filledSampleCount >= 9600)
      let lengths = stretches(await samples(of: recorder))
      #expect(lengths.count == 2)
      #expect(lengths.reduce(0, +) + end.filledSampleCount == end.sampleCount)
      expectOrder()
    }

    @Test func anotherRateIsConverted() async throws {
      let clock = SimulatedClockThread()
      let recorder = Recorder(from: CaptureRequest(), to: [], Self.configuration)
      try await recorder.start()
      var isChanged = false
      for await event in recorder.events {
        switch event {
        case .started: SimulatedPhone.setRates([44_100], of: .builtInMicrophone)
        case .formatChanged(let sampleRate, _):
          isChanged = sampleRate == 44_100
          await recorder.stop()
        default: break
        }
      }
      clock.end()
      #expect(isChanged)
      expectOrder()
    }

    @Test func aRefusalIsToldAtTheStart() async {
      SimulatedPhone.answer(false)
      let recorder = Recorder(from: CaptureRequest(), to: [], Self.configuration)
      await #expect(throws: RecordingError.self) { try await recorder.start() }
      expectOrder()
    }
  }
}

/// Lets simulated time pass as fast as that of the machine, which a recording's gaps are told from.
final class SimulatedClockThread: Sendable {
  private let isOver = Guarded(false)
  private let ended = Guarded(false)

  init() {
    let (isOver, ended) = (isOver, ended)
    let start = System.seconds - SimulatedTime.seconds
    let begins = System.startThread {
      while !isOver.change({ $0 }) {
        // After a pause of the machine the blocks that are due come one after the other.
        while SimulatedTime.seconds < System.seconds - start { SimulatedUnits.step() }
        System.sleep(milliseconds: 2)
      }
      ended.change { $0 = true }
    }
    precondition(begins)
  }

  /// Ends it, and waits for that.
  func end() {
    isOver.change { $0 = true }
    _ = comesTrue { ended.change { $0 } }
  }
}
#endif
