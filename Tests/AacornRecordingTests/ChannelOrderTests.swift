import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import AacornSoundFiles
import Foundation
import Testing

/// Six channels in the order of another program, with a different tone in each channel.
@Suite struct ChannelOrderTests {
  struct Order: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var speakers: [SpeakerPosition]
  }

  static let orders = [
    // FLAC uses the order of WAVE.
    Order(
      testDescription: "WAV and FLAC",
      speakers: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight]),
    Order(
      testDescription: "AAC",
      speakers: [.frontCenter, .frontLeft, .frontRight, .backLeft, .backRight, .lowFrequency]),
    Order(
      testDescription: "ALSA",
      speakers: [.frontLeft, .frontRight, .backLeft, .backRight, .frontCenter, .lowFrequency]),
    Order(
      testDescription: "film",
      speakers: [.frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .lowFrequency]),
  ]

  private static let frameCount = 24_000

  /// A file in this order; each speaker position has its own tone.
  private static func file(_ order: Order) throws -> [UInt8] {
    let layout = try #require(ChannelLayout(order.speakers))
    let writer = CAFWriter(
      encoding: .float32, sampleRate: 48_000, channelCount: 6, layout: layout)
    var samples: [Float] = []
    for frame in 0..<frameCount {
      for speaker in order.speakers {
        // The side speakers of 5.1 channels are treated as back speakers.
        let position =
          switch speaker {
          case .sideLeft: SpeakerPosition.backLeft.rawValue
          case .sideRight: SpeakerPosition.backRight.rawValue
          default: speaker.rawValue
          }
        let frequency = speaker == .lowFrequency ? 60.0 : 300 * Double(position + 1)
        samples.append(Float(0.2 * sin(2 * .pi * frequency * Double(frame) / 48_000)))
      }
    }
    var bytes = writer.header(frameCount: UInt64(frameCount))
    writer.append(samples.span, to: &bytes)
    return bytes
  }

  private static func recorded(_ order: Order, channelCount: Int) throws -> [[UInt8]] {
    let folder = try Folder()
    let source = SyntheticSource.test(
      try FileSignal(path: folder.write(file(order), to: "a.caf")))
    let log = RecordingLog()
    let session = log.session(
      RecordingConfiguration(sampleRate: 48_000, channelCount: channelCount))
    try session.start(source, outputs: [])
    let summary = try finalSummary(of: session)
    #expect(summary.failure == nil && summary.sampleCount == frameCount)
    return log.packets.map(\.bytes)
  }

  private static func encoded(_ order: Order, channelCount: Int) throws -> [[UInt8]] {
    let bytes = try file(order)
    var reader = PCMFileReader()
    guard case .ready(let info) = try reader.push(bytes.span) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    var conversion = try AudioConversion(
      from: info.format, byteCount: info.dataByteCount, channelCount: channelCount)
    var integers: [Int16] = []
    var samples: [Float] = []
    conversion.push(
      bytes.span.extracting(Int(info.dataOffset)...), integers: &integers, samples: &samples)
    conversion.finish(samples: &samples)
    return try AACEncoder.units(
      of: samples, AACEncoder.Configuration(sampleRate: 48_000, channelCount: channelCount)
    ).map(\.bytes)
  }

  @Test(arguments: orders, [6, 2, 1])
  func recordingAFileGivesWhatEncodingItGives(order: Order, channelCount: Int) throws {
    let recorded = try Self.recorded(order, channelCount: channelCount)
    #expect(recorded == (try Self.encoded(order, channelCount: channelCount)))
  }

  /// Every order encodes to identical units.
  ///
  /// The first order needs no conversion, so its center channel is a valid reference.
  @Test(arguments: orders.dropFirst())
  func theCenterIsInTheCenter(order: Order) throws {
    let reference = try Self.recorded(Self.orders[0], channelCount: 6)
    #expect(try Self.recorded(order, channelCount: 6) == reference)
  }
}
