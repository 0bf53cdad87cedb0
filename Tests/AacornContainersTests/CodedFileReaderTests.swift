import AacornCodec
import AacornSoundFiles
import TestSignals
import Testing

@testable import AacornContainers

struct CodedFileReaderTests {
  static let sizes = [40, 300, 7, 0, 1200, 90, 33, 500, 20, 260, 700, 100]

  private func frames(_ stream: TransportStream) -> [[UInt8]] {
    stream.ranges.map { Array(stream.bytes[$0]) }
  }

  @Test(arguments: [false, true])
  func framesOfADTSAreUnits(isPiped: Bool) throws {
    let stream = try TransportStream.adts(sizes: Self.sizes)
    let steps = try codedSteps(stream.bytes, isPiped: isPiped)
    #expect(steps.first == .configuration(.stereo44100))
    #expect(steps.count == 1 + stream.payloads.count)
    #expect(steps.units.map { $0.bytes } == stream.payloads)
    #expect(steps.units.map { $0.offset } == stream.ranges.map { UInt64($0.lowerBound) })
    #expect(steps.units.map { $0.index } == Array(stream.payloads.indices))
  }

  @Test func kindIsKnownWithTheConfiguration() throws {
    let stream = try TransportStream.adts(sizes: Self.sizes)
    var reader = CodedFileReader(byteCount: UInt64(stream.bytes.count))
    #expect(reader.kind == nil)
    _ = try codedSteps(of: &reader, stream.bytes, limit: 1)
    #expect(reader.kind == .adts)
    #expect(reader.movie == nil)
    let canSeek = reader.seek(toUnit: 0)
    #expect(!canSeek)
  }

  @Test(arguments: [false, true])
  func tagsAroundTheFramesAreSkipped(isPiped: Bool) throws {
    let stream = try TransportStream.adts(sizes: Self.sizes)
    let long =
      Array("ID3".utf8) + [4, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 0xFF, count: 1 << 14)
    let file =
      ADTSReaderTests.id3 + long + stream.bytes + ADTSReaderTests.id3 + stream.bytes
      + ADTSReaderTests.ape + ADTSReaderTests.id3v1
    let steps = try codedSteps(file, isPiped: isPiped)
    #expect(steps.units.map { $0.bytes } == stream.payloads + stream.payloads)
    #expect(steps.units.first?.offset == UInt64(ADTSReaderTests.id3.count + long.count))
    #expect(steps.damage == [])
    #expect(steps.configurations.count == 1)
  }

  @Test func payloadsOfLATMAreUnits() throws {
    let vectors = try TransportVectors.load()
    let file = hexBytes(vectors.loas)
    var reader = CodedFileReader(byteCount: UInt64(file.count))
    let steps = try codedSteps(of: &reader, file)
    #expect(reader.kind == .latm)
    #expect(steps.first == .configuration(mp4Mono))
    #expect(steps.units.map { $0.bytes } == vectors.packets.map { hexBytes($0) })
    #expect(steps.units.map { $0.offset } == [0, 32, 56, 86])
  }

  @Test func configurationChangeIsReported() throws {
    let mono = try TransportStream.adts(mp4Mono, sizes: [40, 50, 60])
    let stereo = try TransportStream.adts(sizes: [70, 80, 90])
    let steps = try codedSteps(mono.bytes + stereo.bytes)
    #expect(steps.configurations == [mp4Mono, .stereo44100])
    #expect(steps[4] == .configuration(.stereo44100))
    #expect(steps.units.count == 6)
    #expect(steps.damage == [])
  }

  @Test(arguments: [false, true])
  func blocksOfADIFAreUnits(isPiped: Bool) throws {
    let vectors = try TransportVectors.load()
    let file = hexBytes(vectors.adif)
    let steps = try codedSteps(file, isPiped: isPiped)
    #expect(steps.configurations.map { $0.channelCount } == [1])
    #expect(steps.units.map { $0.bytes } == vectors.packets.map { hexBytes($0) })
    let unitsAtOffsets = steps.units.map { Array(file[Int($0.offset)...].prefix($0.bytes.count)) }
    #expect(unitsAtOffsets == steps.units.map { $0.bytes })
  }

  @Test func layoutInTheBlocksIsPartOfTheConfiguration() throws {
    var configuration = AudioSpecificConfig.test(rate: 48_000, channels: 0)
    configuration.programConfig = ProgramConfig(
      try #require(ChannelConfiguration(rawValue: 5)),
      samplingFrequency: try #require(SamplingFrequency(hertz: 48_000)))
    let stream = try TransportStream.adts(configuration, sizes: [40, 50, 60], seed: 3)
    let steps = try codedSteps(stream.bytes)
    #expect(steps.configurations == [configuration])
    #expect(steps.units.count == 3)
  }

  @Test func wrongChecksumReportsDamageAndKeepsUnit() throws {
    let file = hexBytes(try TransportVectors.load().adtsChecksums[0].hex)
    let right = try codedSteps(file)
    #expect(right.units.map { $0.bytes } == [Array(file[9...])])
    #expect(right.damage == [])
    // Change one bit of the gain.
    var other = file
    other[10] ^= 0x20
    let wrong = try codedSteps(other)
    #expect(wrong.units.map { $0.bytes } == [Array(other[9...])])
    #expect(
      wrong.damage == [StreamDamage(kind: .wrongChecksum, offset: 0, length: file.count)])
  }

  @Test func blocksOfAFrameAreUnits() throws {
    let packets = try TransportVectors.load().packets.prefix(3).map { hexBytes($0) }
    let joined = packets.flatMap { $0 }
    let header = ADTSBlocksTests.header(
      hasChecksum: false, length: 7 + joined.count, blockCount: 3)
    let steps = try codedSteps(header + joined)
    #expect(steps.units.map { $0.bytes } == packets)
    #expect(steps.units.map { $0.index } == [0, 1, 2])
    let separate = try codedSteps(ADTSBlocksTests.protectedFrame())
    #expect(separate.units.map { $0.bytes } == ADTSBlocksTests.blocks)
  }

  @Test func blocksAfterUnreadableBlockAreMissing() throws {
    let packet = hexBytes(try TransportVectors.load().packets[0])
    // A truncated channel pair.
    let joined = packet + [0x20, 0xFF]
    let header = ADTSBlocksTests.header(
      hasChecksum: false, length: 7 + joined.count, blockCount: 4)
    let stream = try TransportStream.adts(sizes: [50])
    let steps = try codedSteps(header + joined + stream.bytes)
    #expect(steps.units.map { $0.bytes } == [packet, [0x20, 0xFF], stream.payloads[0]])
    #expect(steps.units.map { $0.index } == [0, 1, 4])
    #expect(steps.damage.map { $0.kind } == [.missingUnits])
  }

  @Test(arguments: [0, 4, 16])
  func framesInATransportStreamAreUnits(extra: Int) throws {
    let stream = try TransportStream.adts(sizes: Self.sizes)
    let packer = TransportPacker.stream(type: 0x0F, frames(stream))
    let file = extra == 0 ? packer.bytes : extra == 4 ? packer.timedBytes : packer.parityBytes
    var reader = CodedFileReader(byteCount: UInt64(file.count))
    let steps = try codedSteps(of: &reader, file)
    #expect(reader.kind == .transportStream)
    #expect(steps.first == .configuration(.stereo44100))
    #expect(steps.units.map { $0.bytes } == stream.payloads)
    #expect(steps.units.allSatisfy { file[Int($0.offset)] == 0xFF })
    #expect(steps.damage == [])
    let piped = try codedSteps(file, isPiped: true)
    #expect(piped == steps)
  }

  @Test func payloadsInATransportStreamAreUnits() throws {
    let payloads = (0..<30).map { [UInt8](repeating: UInt8($0), count: 30 + 20 * $0) }
    let bytes = try latmStream(mp4Mono, payloads)
    let file = TransportPacker.stream(type: 0x11, [bytes]).bytes
    let steps = try codedSteps(file)
    #expect(steps.configurations == [mp4Mono])
    #expect(steps.units.map { $0.bytes } == payloads)
  }

  @Test func lostPacketsCostTheirFrames() throws {
    let stream = try TransportStream.adts(sizes: Self.sizes)
    var packer = TransportPacker.stream(type: 0x0F, frames(stream))
    packer.packets.remove(at: 8)
    let steps = try codedSteps(packer.bytes)
    #expect(steps.damage.contains { $0.kind == .missingPackets })
    let units = steps.units.filter { stream.payloads.contains($0.bytes) }
    #expect(units.count >= stream.payloads.count - 3)
    #expect(steps.units.map { $0.index } == Array(steps.units.indices))
  }

  @Test func truncatedFileYieldsAvailableUnits() throws {
    let stream = try TransportStream.adts(sizes: Self.sizes)
    let packed = TransportPacker.stream(type: 0x0F, frames(stream)).bytes
    for file in [stream.bytes, packed] {
      for cut in stride(from: 1500, to: file.count, by: 97) {
        let units = try codedSteps(Array(file[..<cut])).units.map { $0.bytes }
        #expect(units.count > 1)
        #expect(stream.payloads.starts(with: units))
      }
    }
  }

  @Test func fileIsShorterThanAnnounced() throws {
    let stream = try TransportStream.adts(sizes: Self.sizes)
    var reader = CodedFileReader(byteCount: 1 << 40)
    var steps: [CodedFileReader.Step] = []
    loop: while true {
      switch try reader.step() {
      case .need(let offset, let count):
        let start = Int(min(offset, UInt64(stream.bytes.count)))
        reader.supply(Array(stream.bytes[start...].prefix(count)))
      case .end: break loop
      case let step: steps.append(step)
      }
    }
    #expect(steps.units.map { $0.bytes } == stream.payloads)
  }

  @Test func otherFilesAreIdentified() {
    let files: [([UInt8], FileKind)] = [
      ([], .unknown),
      (Array("Neither sound nor anything else.".utf8), .unknown),
      (Array("RIFF----WAVEfmt ".utf8), .wav),
      (Array("OggS\0\0\0\0\0\0".utf8), .other(.ogg)),
      (ADTSReaderTests.id3 + Array("fLaC\0\0\0\0".utf8), .other(.flac)),
      (ADTSReaderTests.id3, .other(.taggedWithID3)),
      (Array("ADIF".utf8), .other(.adif)),
    ]
    for (file, kind) in files {
      #expect(throws: CodedFileError.notAAC(kind)) { try codedSteps(file) }
      #expect(throws: CodedFileError.notAAC(kind)) { try codedSteps(file, isPiped: true) }
    }
  }

  @Test func bytesWithoutFramesAreGivenUp() {
    let file = [UInt8](repeating: 0x55, count: 3 << 20)
    var reader = CodedFileReader(byteCount: nil)
    var requested: UInt64 = 0
    #expect(throws: CodedFileError.notAAC(.unknown)) {
      while case .need(let offset, let count) = try reader.step() {
        requested = offset + UInt64(count)
        reader.supply(Array(file[Int(offset)..<Int(offset) + count]))
      }
    }
    #expect(requested < 2 << 20)
    #expect(throws: CodedFileError.notAAC(.unknown)) { try reader.step() }
  }

  @Test func frameStreamHasOneTrack() throws {
    let stream = try TransportStream.adts(sizes: Self.sizes)
    let steps = try codedSteps(stream.bytes, track: 1)
    #expect(steps.units.count == Self.sizes.count)
    #expect(throws: CodedFileError.noAudioTrack(found: 1)) {
      try codedSteps(stream.bytes, track: 2)
    }
  }
}
