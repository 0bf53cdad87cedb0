import Testing

@testable import AacornDevices

@Suite struct CoreAudioFormatTests {
  private func format(
    _ rate: Double, _ channels: Int, wanted: Int? = nil, voice: Bool = false
  ) -> CoreAudioFormat? {
    CoreAudioFormat(
      hardwareRate: rate, hardwareChannelCount: channels, wantedChannelCount: wanted,
      isVoiceProcessed: voice)
  }

  @Test func theHardwareDecidesOnTheRate() {
    #expect(format(16_000, 1)?.sampleRate == 16_000)
    #expect(format(44_099.999, 2)?.sampleRate == 44_100)
  }

  @Test(
    arguments: [
      (1, nil, 1), (2, nil, 2), (18, nil, 18), (2, 1, 2), (1, 2, 1), (18, 2, 2), (18, 1, 1),
      (4, 8, 4), (4, 0, 1),
    ] as [(Int, Int?, Int)])
  func channels(hardware: Int, wanted: Int?, result: Int) {
    #expect(format(48_000, hardware, wanted: wanted)?.channelCount == result)
  }

  @Test func voiceProcessingHasOneChannel() {
    #expect(format(48_000, 9, wanted: 2, voice: true)?.channelCount == 1)
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e9])
  func formatRejectsInvalidSampleRate(rate: Double) {
    #expect(format(rate, 2) == nil)
    #expect(
      CoreAudioFormat(
        sampleRate: rate, formatID: 0x6C70_636D, formatFlags: 9, bytesPerFrame: 8,
        framesPerPacket: 1, channelsPerFrame: 2, bitsPerChannel: 32) == nil)
  }

  @Test func aDeviceWithoutChannelsIsRefused() {
    #expect(format(48_000, 0) == nil)
    #expect(format(48_000, -3) == nil)
  }

  @Test func playbackFormatKeepsRateAndUsesAllChannels() {
    let format = CoreAudioFormat(playing: 22_050, hardwareChannelCount: 8)
    #expect(format?.sampleRate == 22_050)
    #expect(format?.channelCount == 8)
    #expect(CoreAudioFormat(playing: 22_050, hardwareChannelCount: 0) == nil)
    #expect(CoreAudioFormat(playing: 22_050, hardwareChannelCount: 1025) == nil)
    #expect(CoreAudioFormat(playing: 0, hardwareChannelCount: 2) == nil)
    #expect(CoreAudioFormat(playing: 1_000_001, hardwareChannelCount: 2) == nil)
  }

  private func read(
    id: UInt32 = 0x6C70_636D, flags: UInt32 = 9, bytes: UInt32 = 8, frames: UInt32 = 1,
    channels: UInt32 = 2, bits: UInt32 = 32
  ) -> CoreAudioFormat? {
    CoreAudioFormat(
      sampleRate: 48_000, formatID: id, formatFlags: flags, bytesPerFrame: bytes,
      framesPerPacket: frames, channelsPerFrame: channels, bitsPerChannel: bits)
  }

  @Test func onlyPackedNativeInterleavedSinglePrecisionIsRead() {
    #expect(read() == format(48_000, 2))
    #expect(read(id: 0x6161_6320) == nil)
    #expect(read(flags: 9 | 1 << 5) == nil)  // not interleaved
    #expect(read(flags: 9 | 1 << 1) == nil)  // big-endian
    #expect(read(flags: 12) == nil)  // integers
    #expect(read(bytes: 4) == nil)
    #expect(read(frames: 0) == nil)
    #expect(read(channels: 0, bits: 32) == nil)
    #expect(read(bytes: .max, channels: .max) == nil)
    #expect(read(bits: 64) == nil)
  }

  @Test func aUnitHasRoomForTheLongestBlocks() {
    let format = format(48_000, 2)
    #expect(format?.largestFrameCount(milliseconds: 10, needed: 0) == 4096)
    #expect(format?.largestFrameCount(milliseconds: 200, needed: 0) == 9600)
    #expect(format?.largestFrameCount(milliseconds: 10, needed: 8192) == 8192)
    #expect(format?.largestFrameCount(milliseconds: .max, needed: .max) == 65_536)
    #expect(format?.bytesPerFrame == 8)
  }

  /// An `AudioBufferList` with these channels in its buffers.
  private func list(count: UInt32, _ channels: [UInt32]) -> [UInt8] {
    var words: [UInt32] = [count, 0]
    for channel in channels { words += [channel, 4096, 0xDEAD, 0xBEEF] }
    return unsafe words.withUnsafeBytes { unsafe Array($0) }
  }

  private func channelCount(_ bytes: [UInt8]) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe CoreAudioFormat.channelCount(inBufferList: $0) }
  }

  @Test func theChannelsOfAllBuffersCount() {
    #expect(channelCount(list(count: 1, [2])) == 2)
    #expect(channelCount(list(count: 3, [1, 1, 8])) == 10)
    #expect(channelCount(list(count: 0, [])) == 0)
  }

  @Test func aListThatClaimsTooMuchIsReadToItsEnd() {
    #expect(channelCount(list(count: .max, [2, 3])) == 5)
    for length in 0..<24 {
      #expect(channelCount(Array(list(count: 1, [2]).prefix(length))) == 0)
    }
  }
}
