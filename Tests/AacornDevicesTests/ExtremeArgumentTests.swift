import AacornDevices
import AacornSignal
import AacornSystem
import DeviceRigs
import SoundRigs
import Testing

/// Public functions do not trap: each is called with the minimum and the maximum of its arguments.
struct ExtremeArgumentTests {
  private static let counts = [Int.min, -1, 0, 1, 65, Int.max]

  // MARK: Signals

  @Test(arguments: SyntheticSystem.BuiltIn.allCases)
  func signalsTakeAnyForm(builtIn: SyntheticSystem.BuiltIn) {
    for rate in Self.counts {
      for count in Self.counts {
        var signal = SyntheticSystem.signal(builtIn, sampleRate: rate, channelCount: count)
        #expect((1...3_072_000).contains(signal.sampleRate))
        #expect((1...64).contains(signal.channelCount))
        var samples: [Float] = []
        #expect(
          signal.read(into: &samples, frameCount: count < 1 ? count : 3) == (count < 1 ? 0 : 3))
        #expect(samples.allSatisfy { $0.isFinite })
      }
    }
    for value in [Float.nan, -.infinity, .infinity, .greatestFiniteMagnitude] {
      #expect((0..<65_536).contains(CounterSignal.frame(value: value, channel: .max)))
    }
    #expect(CounterSignal.value(frame: .max, channel: .min).isFinite)
  }

  // MARK: Sinks and feeds

  @Test func sinksRefuseImpossibleBlocks() {
    for capacity in [Int.min, -1, 0, 1, 64] {
      let sink = CaptureSink(sampleCapacity: capacity)
      let number: Float = 0.5
      for (frames, channels) in [
        (Int.max, 2), (.max, .max), (.min, .min), (-1, 1), (1, -1), (.min, 0), (65, 64),
      ] {
        let block = CaptureBlock(
          frameCount: frames, channelCount: channels, sampleRate: 48_000, time: 0)
        #expect(!sink.hasRoom(for: block) || frames < 0 || channels < 0)
        unsafe withUnsafeBytes(of: number) { #expect(unsafe !sink.write(block, $0, .float32)) }
      }
      let many = [Float](repeating: number, count: 65 * 64)
      let large = CaptureBlock(frameCount: 65, channelCount: 64, sampleRate: 48_000, time: 0)
      unsafe many.withUnsafeBytes { #expect(unsafe !sink.write(large, $0, .float32)) }
      var samples: [Float] = []
      #expect(sink.read(into: &samples, milliseconds: .min) == nil)
      let block = CaptureBlock(
        frameCount: 1, channelCount: 1, sampleRate: .max, time: .max, lostFrameCount: .max)
      unsafe withUnsafeBytes(of: number) { #expect(unsafe sink.write(block, $0, .float32)) }
      let read = sink.read(into: &samples, milliseconds: 0)
      #expect(read?.frameCount == 1 && samples == [0.5])
      #expect(read.map { $0.time < .max / 2 && $0.lostFrameCount > 0 } == true)
    }
  }

  @Test func feedsTakeAnyForm() {
    for rate in Self.counts {
      for count in Self.counts {
        let feed = PlaybackFeed(
          PlaybackFormat(sampleRate: rate, channelCount: count), frameCapacity: min(count, 65))
        #expect(feed.write([Float](repeating: 0, count: 1024).span) > 0)
        var space = [Float](repeating: 1, count: 1024)
        unsafe space.withUnsafeMutableBufferPointer { space in
          let frame = unsafe UnsafeMutableBufferPointer(
            rebasing: space.prefix(feed.format.channelCount))
          #expect(unsafe feed.read(into: frame) == 1)
          #expect(feed.waitForDevice(milliseconds: .max))
          #expect(unsafe feed.read(into: frame) <= 1)
          #expect(feed.waitForDevice(milliseconds: .min))
        }
        #expect(unsafe feed.read(into: UnsafeMutableBufferPointer(start: nil, count: 0)) == 0)
        feed.recordPresentation(frame: count, soundsAt: Int64(rate))
        for time in [Int64.min, 0, .max] { #expect(feed.playedFrame(at: time) != nil) }
        feed.countUnderrun(missingFrameCount: count)
        #expect(!feed.waitForDevice(milliseconds: count < 1 ? count : 1))
      }
    }
  }

  // MARK: Sources

  @Test func sourcesTakeAnyForm() throws {
    for count in Self.counts {
      let source = SyntheticSource(
        Device(backend: .synthetic, id: "a", name: "A"),
        playing: SyntheticExcerpt(
          of: SilenceSignal(sampleRate: count, channelCount: count), frameCount: 3),
        blockDuration: .seconds(Int64(count)), pacing: .unpaced)
      let sink = CaptureSink(sampleCapacity: 1024)
      try source.start(sink)
      defer { source.stop() }
      var samples: [Float] = []
      var frames = 0
      while let block = sink.read(into: &samples, milliseconds: 60_000), block.event != .ended {
        frames += block.frameCount
      }
      #expect(frames == 3)
    }
  }

  @Test func outputsTakeAnyForm() throws {
    for count in Self.counts {
      let target = SyntheticTarget(latency: .seconds(Int64(count)))
      let feed = PlaybackFeed(
        PlaybackFormat(sampleRate: count, channelCount: min(count, 65)), frameCapacity: 1)
      #expect(feed.write([Float](repeating: 0, count: 65).span) > 0)
      try target.start(feed)
      defer { target.stop() }
      #expect(eventually { feed.waitingFrameCount == 0 })
    }
  }

  // MARK: Times

  @Test func timesTakeAnyRate() {
    for count in Self.counts {
      for rate in Self.counts {
        let time = Duration(samples: count, at: rate)
        #expect((time < .zero) == (count < 0 && time != .zero))
        #expect(time.sampleCount(at: rate) >= 0)
        #expect(Duration.seconds(Int64.max).sampleCount(at: rate) >= 0)
      }
    }
    #expect(Duration(samples: 48_000, at: 48_000) == .seconds(1))
  }
}
