import AacornCodec
import AacornSignal

/// Turns the recording's samples into packets, one segment after another.
///
/// Every segment has its own encoder, so that each file can be played alone, and the files in
/// succession reproduce every sample once.
struct EncodeStage {
  private let coding: RecordingConfiguration.Coding
  /// The encoder's settings; nil for samples.
  private let settings: AACEncoder.Configuration?
  private let sampleRate: Int
  private let channelCount: Int
  private let collectsStatistics: Bool
  private var encoder: AACEncoder?
  /// The bitrate of now, if it is not that of the settings.
  private var bitrate: Int?
  private var unit = AccessUnit()
  /// Samples that wait to become a packet of PCM.
  private var pending: [Float] = []
  /// Where the segment begins in the recording.
  private var segmentPosition = 0
  /// Samples accepted in the segment.
  private(set) var sampleCount = 0
  private var packetPosition = 0

  /// Samples per channel in a PCM packet.
  private static let packetLength = 1024

  init(
    _ configuration: RecordingConfiguration, _ coding: RecordingConfiguration.Coding? = nil
  ) throws(RecordingError) {
    self.coding = coding ?? configuration.coding
    settings = configuration.settings(self.coding)
    sampleRate = configuration.sampleRate
    channelCount = configuration.channelCount
    collectsStatistics = configuration.collectsStatistics
    try begin(at: 0)
  }

  /// The format of the packets.
  var format: PacketFormat {
    switch coding {
    case .int16: return .int16(sampleRate: sampleRate, channelCount: channelCount)
    case .float32: return .float32(sampleRate: sampleRate, channelCount: channelCount)
    case .aac:
      guard let encoder else { return .int16(sampleRate: sampleRate, channelCount: channelCount) }
      return .aac(encoder.audioSpecificConfig, encoder.timing)
    }
  }

  /// The number of packets for this many samples.
  func packetCount(for sampleCount: Int) -> Int {
    if let encoder { return encoder.timing.unitCount(for: sampleCount) }
    return (sampleCount + Self.packetLength - 1) / Self.packetLength
  }

  /// Begins a segment.
  mutating func begin(at position: Int) throws(RecordingError) {
    segmentPosition = position
    sampleCount = 0
    packetPosition = position
    pending.removeAll(keepingCapacity: true)
    guard let settings else { return }
    do throws(EncoderError) {
      var encoder = try AACEncoder(settings)
      encoder.collectsStatistics = collectsStatistics
      if let bitrate { try encoder.setBitrate(bitrate) }
      self.encoder = encoder
    } catch {
      throw .encoder(error)
    }
  }

  /// Changes the bitrate, from the next packet on and in further segments; one that the encoder does
  /// not take changes nothing.
  mutating func setBitrate(_ bitsPerSecond: Int) {
    do throws(EncoderError) {
      try encoder?.setBitrate(bitsPerSecond)
    } catch {
      return
    }
    bitrate = bitsPerSecond
  }

  /// Accepts interleaved samples.
  mutating func encode(_ samples: Span<Float>) {
    sampleCount += samples.count / channelCount
    guard encoder != nil else {
      for index in 0..<samples.count { pending.append(samples[index]) }
      return
    }
    encoder?.encode(interleaved: samples)
  }

  /// Ends the segment; the remaining packets must then be fetched.
  mutating func finish() -> StreamTrim {
    isFinished = true
    return encoder?.finish() ?? StreamTrim(priming: 0, remainder: 0, sampleCount: sampleCount)
  }

  /// Whether the remainder becomes a packet although it is short.
  private var isFinished = false

  /// The next packet, or nil until more samples come.
  mutating func nextPacket() -> EncodedPacket? {
    if encoder != nil {
      guard encoder?.nextAccessUnit(into: &unit) == true else {
        isFinished = false
        return nil
      }
      // The bytes go to other threads and must no longer belong to the encoder.
      return EncodedPacket(taking: &unit, origin: segmentPosition)
    }
    let frames = min(pending.count / channelCount, Self.packetLength)
    guard frames == Self.packetLength || (isFinished && frames > 0) else {
      isFinished = false
      return nil
    }
    var bytes: [UInt8] = []
    let count = frames * channelCount
    let isInteger = coding == .int16
    bytes.reserveCapacity(count * (isInteger ? 2 : 4))
    for sample in pending[..<count] {
      if isInteger {
        let number = UInt16(bitPattern: SampleConversion.int16(sample))
        bytes.append(UInt8(truncatingIfNeeded: number))
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
      } else {
        for shift in [0, 8, 16, 24] as [UInt32] {
          bytes.append(UInt8(truncatingIfNeeded: sample.bitPattern >> shift))
        }
      }
    }
    pending.removeFirst(count)
    let packet = EncodedPacket(bytes: bytes, position: packetPosition, sampleCount: frames)
    packetPosition += frames
    return packet
  }
}
