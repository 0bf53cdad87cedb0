import AVFAudio
import AacornApple
import AacornCodec
import AacornContainers
import AacornSignal
import CoreAudioTypes
import CoreMedia
import SimulatedAudio
import Testing

extension OnSimulatedApple {
  /// AAC in an app's buffers: encoding to them, and decoding from them.
  @Suite struct CodedBuffers {
    private static let blockFrameCount = 480
    private static let blockCount = 10
    private static var frameCount: Int { blockFrameCount * blockCount }
    /// The presentation time of the first sample, in samples.
    private static let start: Int64 = 5000
    /// A tone of 240 Hz, the same in both channels.
    private static let tone: [Float] = (0..<frameCount).flatMap { frame in
      let phase = Float(frame % 200) / 200
      let value = phase < 0.5 ? phase - 0.25 : 0.75 - phase
      return [value, value]
    }

    /// The tone from buffers of a capture session, encoded.
    private struct Encoded {
      var encoder: TimedEncoder
      let format: CMAudioFormatDescription
      let units: [TimedUnit]

      init() throws {
        encoder = try TimedEncoder(.init(sampleRate: 48_000, channelCount: 2))
        format = try encoder.makeFormatDescription()
        var units: [TimedUnit] = []
        for block in 0..<blockCount {
          let first = block * blockFrameCount
          let samples = Array(tone[first * 2..<(first + blockFrameCount) * 2])
          // The flags are: floating point, packed.
          let buffer = try Buffers.sampleBuffer(
            samples, flags: 1 << 0 | 1 << 3, channelCount: 2, frameCount: blockFrameCount,
            time: CMTime(value: start + Int64(first), timescale: 48_000))
          let gap = try encoder.encode(buffer)
          #expect(gap == nil)
          while let unit = encoder.nextUnit() { units.append(unit) }
        }
        encoder.finish()
        while let unit = encoder.nextUnit() { units.append(unit) }
        self.units = units
      }

      /// Decodes the access units without buffers.
      func decoded() throws -> [Float] {
        var decoder = try PacketDecoder(encoder.audioSpecificConfig)
        var samples: [Float] = []
        for unit in units {
          let bytes = unit.unit.bytes
          let sound = decoder.decode(bytes, packets: [0..<bytes.count])
          samples += try #require(sound).samples
        }
        return samples
      }

      /// Returns a buffer with all packets, or with `sizes` as their declared sizes.
      func sampleBuffer(sizes: [Int]? = nil) throws -> CMSampleBuffer {
        let bytes = units.flatMap(\.unit.bytes)
        let sizes = sizes ?? units.map(\.unit.bytes.count)
        let block = try Buffers.block(bytes)
        var offset: Int64 = 0
        let packets = sizes.map { size in
          defer { offset += Int64(size) }
          return AudioStreamPacketDescription(
            mStartOffset: offset, mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
        }
        var buffer: CMSampleBuffer?
        let status = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
          allocator: nil, dataBuffer: block, formatDescription: format, sampleCount: sizes.count,
          presentationTimeStamp: CMTime(value: 0, timescale: 48_000), packetDescriptions: packets,
          sampleBufferOut: &buffer)
        #expect(status == 0)
        return try #require(buffer)
      }

      /// Returns a buffer of the audio engine with all packets; packets of equal size need no
      /// descriptions.
      func compressedBuffer(isDescribed: Bool = true) throws -> AVAudioCompressedBuffer {
        let sizes = units.map(\.unit.bytes.count)
        var description = description(bytesPerPacket: isDescribed ? 0 : sizes.max() ?? 0)
        let stream = unsafe AVAudioFormat(streamDescription: &description)
        let buffer = AVAudioCompressedBuffer(
          format: try #require(stream), packetCapacity: UInt32(sizes.count),
          maximumPacketSize: sizes.max() ?? 0)
        let bytes = units.flatMap(\.unit.bytes)
        unsafe buffer.data.copyMemory(from: bytes, byteCount: bytes.count)
        buffer.byteLength = UInt32(bytes.count)
        buffer.packetCount = UInt32(sizes.count)
        var offset: Int64 = 0
        for (index, size) in sizes.enumerated() {
          unsafe buffer.packetDescriptions?[index] = AudioStreamPacketDescription(
            mStartOffset: offset, mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
          offset += Int64(size)
        }
        return buffer
      }
    }

    private static func description(bytesPerPacket: Int = 0) -> AudioStreamBasicDescription {
      var description = AudioStreamBasicDescription()
      description.mSampleRate = 48_000
      // 'aac '
      description.mFormatID = 0x6161_6320
      description.mFramesPerPacket = 1024
      description.mChannelsPerFrame = 2
      description.mBytesPerPacket = UInt32(bytesPerPacket)
      return description
    }

    /// Returns the format of a stream with this cookie.
    private static func format(cookie: [UInt8]) throws -> CMAudioFormatDescription {
      var description = description()
      var format: CMAudioFormatDescription?
      let status = unsafe CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &description, layoutSize: 0, layout: nil,
        magicCookieSize: cookie.count, magicCookie: cookie, extensions: nil,
        formatDescriptionOut: &format)
      #expect(status == 0)
      return try #require(format)
    }

    private static func samples(of buffer: AVAudioPCMBuffer?) throws -> [Float] {
      try buffer.map { try SoundBuffer($0).samples } ?? []
    }

    // MARK: Encoding

    @Test func theFormatSaysHowToDecode() throws {
      let encoded = try Encoded()
      let stream = try unsafe #require(
        CMAudioFormatDescriptionGetStreamBasicDescription(encoded.format))
      #expect(unsafe stream.pointee.mFormatID == 0x6161_6320)
      #expect(unsafe stream.pointee.mSampleRate == 48_000)
      #expect(unsafe stream.pointee.mFramesPerPacket == 1024)
      #expect(unsafe stream.pointee.mChannelsPerFrame == 2)
      var size = 0
      let start = unsafe CMAudioFormatDescriptionGetMagicCookie(encoded.format, sizeOut: &size)
      let cookie = unsafe Array(UnsafeRawBufferPointer(start: start, count: size))
      let encoder = encoded.encoder
      #expect(
        cookie
          == MagicCookie.bytes(
            of: encoder.audioSpecificConfig, bitrate: encoder.timing.nominalBitrate))
      #expect(MagicCookie.configuration(in: cookie) == encoder.audioSpecificConfig)
      var layoutSize = 0
      let layout = unsafe CMAudioFormatDescriptionGetChannelLayout(
        encoded.format, sizeOut: &layoutSize)
      // kAudioChannelLayoutTag_Stereo
      #expect(unsafe layout?.pointee.mChannelLayoutTag == 101 << 16 | 2)
    }

    @Test func everyPacketIsABufferWithItsTimeAndWhatIsToBeLeftOut() throws {
      let encoded = try Encoded()
      let priming = encoded.encoder.timing.priming
      let last = encoded.units.count - 1
      let remainder = encoded.units.count * 1024 - priming - Self.frameCount
      #expect(priming == 1024 && (1..<1024).contains(remainder))
      for (index, unit) in encoded.units.enumerated() {
        let buffer = try unit.makeSampleBuffer(encoded.format)
        #expect(CMSampleBufferGetNumSamples(buffer) == 1)
        #expect(CMSampleBufferGetSampleSize(buffer, at: 0) == unit.unit.bytes.count)
        let due = Self.start - Int64(priming) + Int64(index) * 1024
        let leading = index == 0 ? priming : 0
        let trailing = index == last ? remainder : 0
        #expect(
          MediaTime(CMSampleBufferGetPresentationTimeStamp(buffer))
            == MediaTime(value: due, timescale: 48_000))
        #expect(
          MediaTime(CMSampleBufferGetOutputPresentationTimeStamp(buffer))
            == MediaTime(value: due + Int64(leading), timescale: 48_000))
        #expect(
          MediaTime(CMSampleBufferGetOutputDuration(buffer))
            == MediaTime(value: Int64(1024 - leading - trailing), timescale: 48_000))
      }
    }

    @Test func aReadOnlyBufferIsEncodedAlike() throws {
      let sound = SoundBuffer(Self.tone, sampleRate: 48_000, channelCount: 2)
      let buffer = try #require(sound.makePCMBuffer())
      var one = try TimedEncoder(.init(sampleRate: 48_000, channelCount: 2))
      var other = one
      try one.encode(buffer)
      try other.encode(AVReadOnlyAudioPCMBuffer(simulating: buffer))
      one.finish()
      other.finish()
      var count = 0
      while let unit = one.nextUnit() {
        #expect(other.nextUnit() == unit)
        count += 1
      }
      #expect(count > 4)
    }

    // MARK: Decoding

    @Test func decoderRemovesPrimingAndPadding() throws {
      let encoded = try Encoded()
      var decoder = try PacketDecoder(encoded.format)
      var decoded: [Float] = []
      for (index, unit) in encoded.units.enumerated() {
        let buffer = try decoder.decode(unit.makeSampleBuffer(encoded.format))
        // The first packet contains only priming.
        #expect((buffer == nil) == (index == 0))
        decoded += try Self.samples(of: buffer)
      }
      let priming = encoded.encoder.timing.priming
      #expect(
        decoded == Array(try encoded.decoded()[priming * 2..<(priming + Self.frameCount) * 2]))
      #expect(decoder.concealedCount == 0)
      let noise = zip(decoded, Self.tone).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      let signal = Self.tone.reduce(0) { $0 + $1 * $1 }
      #expect(noise < signal / 4)
    }

    @Test func severalPacketsInOneBufferAreDecodedInOrder() throws {
      let encoded = try Encoded()
      var decoder = try PacketDecoder(encoded.format)
      let buffer = try decoder.decode(encoded.sampleBuffer())
      #expect(try Self.samples(of: buffer) == encoded.decoded())
    }

    @Test(arguments: [[], [3], [2 << 3]] as [[UInt8]])
    func decoderWithoutValidCookieThrows(cookie: [UInt8]) throws {
      let format = try Self.format(cookie: cookie)
      #expect(throws: CodedBufferError.noConfiguration) { _ = try PacketDecoder(format) }
    }

    @Test func packetsBeyondTheBytesAreRefused() throws {
      let encoded = try Encoded()
      let byteCount = encoded.units.reduce(0) { $0 + $1.unit.bytes.count }
      let buffer = try encoded.sampleBuffer(sizes: [byteCount, 1])
      var decoder = try PacketDecoder(encoded.format)
      #expect(throws: CodedBufferError.misplacedPackets(byteCount: byteCount)) {
        _ = try decoder.decode(buffer)
      }
    }

    // MARK: Buffers of the audio engine

    @Test func describedPacketsOfACompressedBufferAreDecoded() throws {
      let encoded = try Encoded()
      var decoder = try PacketDecoder(encoded.format)
      let buffer = try decoder.decode(encoded.compressedBuffer())
      #expect(try Self.samples(of: buffer) == encoded.decoded())
      let empty = try encoded.compressedBuffer()
      empty.packetCount = 0
      let nothing = try decoder.decode(empty)
      #expect(nothing == nil)
    }

    @Test(arguments: [(-1, 1), (0, nil), (nil, 1), (.max, 0)] as [(Int64?, Int?)])
    func misplacedPacketsOfACompressedBufferAreRefused(start: Int64?, size: Int?) throws {
      let encoded = try Encoded()
      let buffer = try encoded.compressedBuffer()
      let byteCount = Int(buffer.byteLength)
      // Nil means a packet at the end of the bytes, or a packet longer than the buffer.
      unsafe buffer.packetDescriptions?[1] = AudioStreamPacketDescription(
        mStartOffset: start ?? Int64(byteCount), mVariableFramesInPacket: 0,
        mDataByteSize: UInt32(size ?? byteCount + 1))
      var decoder = try PacketDecoder(encoded.format)
      #expect(throws: CodedBufferError.misplacedPackets(byteCount: byteCount)) {
        _ = try decoder.decode(buffer)
      }
    }

    @Test func withoutDescriptionsOnePacketIsAllBytes() throws {
      let encoded = try Encoded()
      let buffer = try encoded.compressedBuffer(isDescribed: false)
      let byteCount = Int(buffer.byteLength)
      var decoder = try PacketDecoder(encoded.format)
      #expect(throws: CodedBufferError.misplacedPackets(byteCount: byteCount)) {
        _ = try decoder.decode(buffer)
      }
      let first = encoded.units[0].unit.bytes.count
      buffer.byteLength = UInt32(first)
      buffer.packetCount = 1
      let sound = try decoder.decode(buffer)
      #expect(try Self.samples(of: sound) == Array(encoded.decoded().prefix(2048)))
      #expect(decoder.concealedCount == 0)
    }
  }
}
