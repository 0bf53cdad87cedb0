import AVFAudio
import AacornApple
import AacornRecording
import AacornSignal
import AacornSystem
import CoreAudioTypes
import CoreMedia
import SimulatedAudio
import Testing

@testable import AacornDevices

extension OnSimulatedApple {
  /// Input and output of an app's buffers.
  @Suite struct Buffers {
    /// A stereo buffer with the counter signal.
    private static func sound(time: MediaTime? = nil) -> SoundBuffer {
      let samples = (0..<960).map { CounterSignal.value(frame: $0 / 2, channel: $0 % 2) }
      return SoundBuffer(samples, sampleRate: 48_000, channelCount: 2, time: time)
    }

    /// Returns a buffer with the bytes of samples in a format.
    static func sampleBuffer<Sample: BitwiseCopyable>(
      _ samples: [Sample], flags: UInt32, channelCount: Int, frameCount: Int,
      time: CMTime = CMTime(value: 0, timescale: 1)
    ) throws -> CMSampleBuffer {
      let bits = MemoryLayout<Sample>.size * 8
      let isPlanar = flags & 1 << 5 != 0
      let frameSize = UInt32(MemoryLayout<Sample>.size * (isPlanar ? 1 : channelCount))
      var description = AudioStreamBasicDescription(
        mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
        mBytesPerPacket: frameSize, mFramesPerPacket: 1, mBytesPerFrame: frameSize,
        mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: UInt32(bits), mReserved: 0)
      var format: CMAudioFormatDescription?
      var status = unsafe CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &description, layoutSize: 0, layout: nil, magicCookieSize: 0,
        magicCookie: nil, extensions: nil, formatDescriptionOut: &format)
      #expect(status == 0)
      let data = try block(unsafe samples.withUnsafeBytes { unsafe [UInt8]($0) })
      let described = try #require(format)
      var buffer: CMSampleBuffer?
      status = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: data, formatDescription: described,
        sampleCount: frameCount, presentationTimeStamp: time, packetDescriptions: nil,
        sampleBufferOut: &buffer)
      #expect(status == 0)
      return try #require(buffer)
    }

    /// Returns memory of Core Media with these bytes.
    static func block(_ bytes: [UInt8]) throws -> CMBlockBuffer {
      var block: CMBlockBuffer?
      var status = unsafe CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: nil, blockLength: bytes.count, blockAllocator: nil,
        customBlockSource: nil, offsetToData: 0, dataLength: bytes.count,
        flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
      #expect(status == 0)
      let made = try #require(block)
      status = unsafe CMBlockBufferReplaceDataBytes(
        with: bytes, blockBuffer: made, offsetIntoDestination: 0, dataLength: bytes.count)
      #expect(status == 0)
      return made
    }

    @Test func soundBufferRoundTripsThroughPCMBuffer() throws {
      let sound = Self.sound()
      let buffer = try #require(sound.makePCMBuffer())
      #expect(buffer.frameLength == 480)
      #expect(!buffer.format.isInterleaved)
      #expect(try SoundBuffer(buffer) == sound)
    }

    @Test func multichannelLayoutIsKept() throws {
      let samples = (0..<600).map { CounterSignal.value(frame: $0 / 6, channel: $0 % 6) }
      let layout = ChannelLayout.standard(channelCount: 6)
      let sound = SoundBuffer(samples, sampleRate: 44_100, channelCount: 6, layout: layout)
      let buffer = try #require(sound.makePCMBuffer())
      #expect(try SoundBuffer(buffer) == sound)
    }

    @Test func partlyFilledBufferReturnsValidFramesOnly() throws {
      let buffer = try #require(Self.sound().makePCMBuffer())
      buffer.frameLength = 100
      let sound = try SoundBuffer(buffer)
      #expect(sound.frameCount == 100)
      #expect(sound.samples[...] == Self.sound().samples.prefix(200))
    }

    @Test func captureSessionIntegersAreConverted() throws {
      // The flags are: signed integers, packed.
      let samples = (0..<960).map { Int16(truncatingIfNeeded: $0 * 31) }
      let buffer = try Self.sampleBuffer(
        samples, flags: 1 << 2 | 1 << 3, channelCount: 2, frameCount: 480,
        time: CMTime(value: 441, timescale: 44_100))
      let sound = try SoundBuffer(buffer)
      #expect(sound.samples == samples.map { Float($0) / 32_768 })
      #expect(sound.time == MediaTime(value: 441, timescale: 44_100))
    }

    @Test func planarChannelsAreInterleaved() throws {
      // The flags are: floating point, packed, not interleaved.
      let left = (0..<480).map { CounterSignal.value(frame: $0, channel: 0) }
      let right = (0..<480).map { CounterSignal.value(frame: $0, channel: 1) }
      let buffer = try Self.sampleBuffer(
        left + right, flags: 1 << 0 | 1 << 3 | 1 << 5, channelCount: 2, frameCount: 480)
      #expect(try SoundBuffer(buffer).samples == Self.sound().samples)
    }

    @Test func appBuffersAreRecordedCompletely() throws {
      let source = PushSource(sampleRate: 48_000, channelCount: 2, isLive: true)
      let sink = CaptureSink()
      try source.start(sink)
      let pcm = try #require(Self.sound().makePCMBuffer())
      let now = System.nanoseconds
      // The uptime in ticks; 3 ticks are 125 nanoseconds.
      let ticks = UInt64(now) / 125 * 3
      #expect(try source.push(pcm, at: AVAudioTime(hostTime: ticks)))
      let flags: UInt32 = 1 << 0 | 1 << 3
      let second = try Self.sampleBuffer(
        Self.sound().samples, flags: flags, channelCount: 2, frameCount: 480,
        time: CMTime(value: now + 10_000_000, timescale: 1_000_000_000))
      #expect(try source.push(second))
      var samples: [Float] = []
      let blocks = try (0..<2).map { _ in
        try #require(sink.read(into: &samples, milliseconds: 0))
      }
      #expect(samples == Self.sound().samples + Self.sound().samples)
      #expect(blocks.allSatisfy { $0.lostFrameCount == 0 })
      source.stop()
    }
  }
}
