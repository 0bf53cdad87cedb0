#if os(Linux)
import AacornDevices
import AacornSignal
import AacornSystem
import Foundation
import SoundRigs
import Testing

/// Capture from devices that work.
@Suite(.serialized)
struct ALSATests {
  @Test(arguments: ["S16_LE", "S24_3LE", "S24_LE", "S32_LE", "FLOAT_LE"])
  func captureDeliversEveryFrameOnceInEachFormat(format: String) throws {
    var run = try ALSARun(ALSAConfiguration.device("format-\(format)", format: format))
    try run.run { $0.frameCount >= 24000 }
    #expect(run.frameCount >= 24000)
    #expect(run.lostFrameCount == 0 || run.wasStalled)
    #expect(run.events == [])
    run.expectEveryFrameAccountedFor(format: format)
    // The device's first frame is 0. If the machine was too busy to read in time, the oldest frames
    // are lost, and the first block reports the loss.
    let first = try #require(run.frames(format: format).first)
    #expect(first.numbers.first == first.lost)
  }

  @Test func eightChannelsKeepTheirOrder() throws {
    var run = try ALSARun(ALSAConfiguration.device("eight", channels: 8))
    try run.run { $0.frameCount >= 9600 }
    #expect(run.sound.allSatisfy { $0.channelCount == 8 })
    let expected = (0..<9600).flatMap { ALSAConfiguration.samples(ofFrame: $0, channels: 8) }
    let isExact = Array(run.samples.prefix(9600 * 8)) == expected
    #expect(isExact || run.wasStalled)
    #expect(run.source.device?.channelCount == 8)
  }

  @Test func aDeviceSaysWhatItsChannelsAre() throws {
    let id = ALSAConfiguration.device("mapped", channels: 6, map: "FL-FR-RL-RR-FC-LFE")
    var run = try ALSARun(id)
    try run.run { $0.frameCount >= 480 }
    let order: [SpeakerPosition] = [
      .frontLeft, .frontRight, .backLeft, .backRight, .frontCenter, .lowFrequency,
    ]
    #expect(run.sound.allSatisfy { $0.layout?.speakers == order })
    // A device that numbers its channels, and a device without a channel map.
    for (name, map) in [("numbered", "FL-FR-UNKNOWN-UNKNOWN"), ("silent", nil)] {
      var other = try ALSARun(ALSAConfiguration.device(name, channels: 4, map: map))
      try other.run { $0.frameCount >= 480 }
      #expect(other.sound.allSatisfy { $0.layout == nil && $0.channelCount == 4 })
    }
  }

  @Test func deviceThatRefusesTheRateAndChannelsGivesItsOwn() throws {
    let id = ALSAConfiguration.device("own", rate: 44100, channels: 6)
    var run = try ALSARun(id, sampleRate: 48000, channelCount: 4)
    try run.run { $0.frameCount >= 4410 }
    #expect(run.sound.allSatisfy { $0.sampleRate == 44100 && $0.channelCount == 6 })
    run.expectEveryFrameAccountedFor()
  }

  @Test func timesAdvanceWithTheFramesAndLieInThePast() throws {
    var run = try ALSARun(ALSAConfiguration.device("times"))
    let before = System.nanoseconds
    try run.run { $0.frameCount >= 48000 }
    let after = System.nanoseconds
    let first = try #require(run.sound.first)
    let last = try #require(run.sound.last)
    #expect(first.time >= before - 1_000_000)
    #expect(last.time + Int64(last.frameCount) * 1_000_000_000 / 48000 <= after + 1_000_000)
    // The device uses the same clock, so only the time of a query is uncertain. Only times marked
    // as reliable are compared; a busy machine has some unreliable ones.
    var counted = 0
    var reliable: [(seconds: Double, counted: Double)] = []
    for block in run.sound {
      counted += block.lostFrameCount
      if block.isTimeReliable {
        reliable.append((Double(block.time - first.time) * 1e-9, Double(counted) / 48000))
      }
      counted += block.frameCount
    }
    let (earliest, latest) = (try #require(reliable.first), try #require(reliable.last))
    let (seconds, frames) = (
      latest.seconds - earliest.seconds, latest.counted - earliest.counted
    )
    #expect(frames > 0.5 && abs(seconds - frames) < 0.05)
  }

  @Test func stopWaitsForWhatTheDeviceHasCapturedAndNotForMore() throws {
    // Captured frames are readable only after 100 ms.
    var run = try ALSARun(ALSAConfiguration.device("tail", latency: 4800))
    try run.start()
    let started = System.nanoseconds
    run.collect { $0.frameCount >= 9600 }
    let stopped = System.nanoseconds
    run.stop()
    let returned = System.nanoseconds
    let last = run.frames(format: "S32_LE").last?.numbers.last ?? 0
    #expect(last >= Int(Double(stopped - started) * 48000e-9) - 1)
    // The stop does not wait until the buffer, one second of audio, is full.
    #expect(run.frameCount < 9600 + Int(Double(returned - started) * 48000e-9))
    #expect(run.lostFrameCount == 0 || run.wasStalled)
    run.expectEveryFrameAccountedFor()
  }

  @Test func stopEndsDeliveryAndStartRestartsIt() throws {
    var run = try ALSARun(ALSAConfiguration.device("again"))
    try run.run { $0.frameCount >= 4800 }
    let count = run.blocks.count
    // Nothing must happen in this time. A longer wait only detects more.
    System.sleep(milliseconds: 100)
    let hasMore = run.take(milliseconds: 0)
    #expect(!hasMore)
    try run.run { $0.blocks.count > count + 5 }
    #expect(run.blocks.count > count + 5)
    let next = run.blocks[count]
    #expect(next.lostFrameCount == 0 || run.wasStalled && next.lossCause == .overrun)
    #expect(run.events == [])
  }

  @Test func fileWithoutClockIsReadBitExactInRealTime() throws {
    let folder = try ALSAConfiguration.install().folder
    let url = folder.appendingPathComponent("noise.raw")
    var generator = SystemRandomNumberGenerator()
    // The bits that the significand of a Float can hold.
    let noise = (0..<96_000).map { _ in
      Int32.random(in: -0x80_0000...0x7F_FFFF, using: &generator) << 8
    }
    try unsafe noise.withUnsafeBytes { unsafe Data($0) }.write(to: url)
    var run = try ALSARun(ALSAConfiguration.file(url))
    let before = System.nanoseconds
    try run.run { $0.frameCount >= 48000 }
    let after = System.nanoseconds
    let isExact = Array(run.samples.prefix(96_000)) == noise.map { Float($0) * 0x1p-31 }
    #expect(isExact)
    // The device would accept all frames immediately; 0.2 s may be early.
    #expect(after - before >= 750_000_000)
    #expect(run.sound.allSatisfy { !$0.isTimeReliable })
    let first = try #require(run.sound.first)
    let last = try #require(run.sound.last)
    let counted = Int64(run.frameCount - last.frameCount) * 1_000_000_000 / 48000
    #expect(abs(last.time - first.time - counted) < 1000)
    #expect(run.lostFrameCount == 0)
    #expect(run.source.diagnostics.contains { $0.contains("no clock") })
  }

  @Test func devicesAreThoseThatCanBeOpened() throws {
    try ALSAConfiguration.install()
    let devices = try ALSASystem.devices()
    let device = try #require(devices.first { $0.id == "testmic" })
    #expect(device.details == "A microphone of the tests")
    #expect(device.channelCount == 1)
    #expect(device.sampleRate == 44100)
    #expect(!device.isDefault)
    let ids = devices.map(\.id)
    // A missing device, silence, filters, and templates that need arguments.
    for id in ["default", "null", "testsilence", "samplerate", "upmix", "jack", "fault", "rawfile"]
    {
      #expect(!ids.contains(id))
    }
    #expect(Set(ids).count == ids.count)
  }

  @Test func alsaSourceStartErrorsNameTheReason() throws {
    try ALSAConfiguration.install()
    let sink = CaptureSink()
    #expect(throws: CaptureError.unknownDevice(id: "nosuch", backend: .alsa)) {
      try ALSASource(CaptureRequest(device: .pinned(id: "nosuch"))).start(sink)
    }
    #expect(throws: CaptureError.noDevice(backend: .alsa)) {
      try ALSASource(CaptureRequest()).start(sink)
    }
    #expect {
      try ALSASystem.makeSource(CaptureRequest(isVoiceProcessed: true))
    } throws: { error in
      guard case CaptureError.noVoiceProcessing? = error as? CaptureError else { return false }
      return true
    }
    // An invalid configuration throws the library's message instead of printing it.
    #expect {
      try ALSASource(CaptureRequest(device: .pinned(id: "fault:FAULT=nonsense"))).start(sink)
    } throws: { error in
      guard case CaptureError.system(_, _, let reason)? = error as? CaptureError else {
        return false
      }
      return reason.contains("Wrong value of fault")
    }
    #expect(sink.read(milliseconds: 0) == nil)
  }
}

extension CaptureSink {
  /// Reads the next block, and returns its kind without its samples.
  fileprivate func read(milliseconds: Int) -> CaptureEvent? {
    var samples: [Float] = []
    return read(into: &samples, milliseconds: milliseconds)?.event
  }
}
#endif
