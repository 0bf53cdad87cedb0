#if SIMULATED_IOS
import AVFAudio
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

extension OnSimulatedApple {
  /// The class `EngineTap` of the article BuffersOfAnApp.
  @Suite @MainActor struct EngineTaps {
    @Test func tapOfTheArticleFollowsHeadsets() async throws {
      let session = AVAudioSession.sharedInstance()
      try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker])
      try session.setActive(true, options: [])
      let source = PushSource(sampleRate: 48_000, channelCount: 2, isLive: true)
      let sink = CaptureSink()
      try source.start(sink)
      do {
        let engine = AVAudioEngine()
        let tap = EngineTap(engine, source)
        try tap.start()
        #expect(taken(from: sink) == [48_000])
        SimulatedPhone.setRates([44_100], of: .builtInMicrophone)
        await untilRunning()
        #expect(taken(from: sink) == [44_100])
        SimulatedPhone.connect(input: .headsetMicrophone, output: .headphones)
        await untilRunning()
        #expect(taken(from: sink) == [48_000])
        SimulatedPhone.disconnect(.headsetMicrophone)
        await untilRunning()
        #expect(taken(from: sink) == [44_100])
        tap.stop()
      }
      source.stop()
      try session.setActive(false, options: [])
    }

    /// Waits until the engine runs again, which it does on the main actor.
    private func untilRunning() async {
      for _ in 0..<10_000 where SimulatedUnits.running.isEmpty { await Task.yield() }
    }

    /// Advances time, and returns the rates of the blocks that arrive; expects that samples do.
    private func taken(from sink: CaptureSink) -> Set<Int> {
      for _ in 0..<40 { SimulatedUnits.step() }
      var (samples, rates): ([Float], Set<Int>) = ([], [])
      while let block = sink.read(into: &samples, milliseconds: 0) {
        rates.insert(block.sampleRate)
      }
      #expect(samples.contains { $0 != 0 })
      return rates
    }
  }
}
#endif
