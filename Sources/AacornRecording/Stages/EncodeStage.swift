import AacornApple
import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Encodes the recording's samples to packets, one segment after another.
///
/// Every segment has its own encoder, so that each file can be played alone, and the files in
/// succession reproduce every sample once.
///
/// If the encoder fails, its earlier packets are valid, and the stage accepts no more samples.
struct EncodeStage {
  /// A function that creates an encoder with these settings.
  typealias EncoderFactory =
    @Sendable (AACEncoder.Configuration) throws(RecordingError) -> any AACEncoding

  private let coding: RecordingConfiguration.Coding
  /// The encoder's settings; nil for samples.
  private let settings: AACEncoder.Configuration?
  private let sampleRate: Int
  private let channelCount: Int
  private let collectsStatistics: Bool
  private let makeEncoder: EncoderFactory
  private var encoder: (any AACEncoding)?
  /// The error that ended encoding; nil without one.
  private(set) var failure: RecordingError?
  /// The current bitrate, if it differs from the settings.
  private var bitrate: Int?
  private var unit = AccessUnit()
  /// Samples that wait for a complete packet of PCM.
  private var pending: [Float] = []
  /// The start of the segment in the recording, in samples.
  private var segmentPosition = 0
  /// Samples accepted in the segment.
  private(set) var sampleCount = 0
  private var packetPosition = 0
  /// Packets of AAC in the segment.
  private var unitCount = 0
  /// The samples to trim from the segment, known when the encoder has all samples.
  private var encoderTrim: StreamTrim?

  /// Samples per channel in a PCM packet.
  private static let packetLength = 1024

  /// Creates a stage for one coding of a recording, with encoders of the configured back end or of
  /// `makeEncoder`.
  init(
    _ configuration: RecordingConfiguration, _ coding: RecordingConfiguration.Coding? = nil,
    makeEncoder: EncoderFactory? = nil
  ) throws(RecordingError) {
    if let makeEncoder {
      self.makeEncoder = makeEncoder
    } else {
      let backEnd = configuration.backEnd
      self.makeEncoder = { settings throws(RecordingError) in try backEnd.makeEncoder(settings) }
    }
    self.coding = coding ?? configuration.coding
    settings = configuration.settings(self.coding)
    sampleRate = configuration.sampleRate
    channelCount = configuration.channelCount
    collectsStatistics = configuration.collectsStatistics
    try begin(at: 0)
  }

  var format: PacketFormat {
    switch coding {
    case .int16: return .int16(sampleRate: sampleRate, channelCount: channelCount)
    case .float32: return .float32(sampleRate: sampleRate, channelCount: channelCount)
    case .aac:
      guard let encoder else { return .int16(sampleRate: sampleRate, channelCount: channelCount) }
      return .aac(encoder.audioSpecificConfig, encoder.timing)
    }
  }

  func packetCount(for sampleCount: Int) -> Int {
    if let encoder { return encoder.timing.unitCount(for: sampleCount) }
    return (sampleCount + Self.packetLength - 1) / Self.packetLength
  }

  mutating func begin(at position: Int) throws(RecordingError) {
    segmentPosition = position
    sampleCount = 0
    packetPosition = position
    unitCount = 0
    encoderTrim = nil
    pending.removeAll(keepingCapacity: true)
    guard let settings else { return }
    var encoder = try makeEncoder(settings)
    encoder.collectsStatistics = collectsStatistics
    // The previous encoder has accepted the bitrate, so this encoder does, too.
    if let bitrate { _ = encoder.changeBitrate(to: bitrate) }
    self.encoder = encoder
  }

  /// Changes the bitrate, from the next packet on and in further segments; ignores a bitrate that
  /// the encoder rejects.
  mutating func setBitrate(_ bitsPerSecond: Int) {
    if encoder?.changeBitrate(to: bitsPerSecond) == false { return }
    bitrate = bitsPerSecond
  }

  mutating func encode(_ samples: Span<Float>) {
    if failure != nil { return }
    sampleCount += samples.count / channelCount
    guard encoder != nil else {
      for index in 0..<samples.count { pending.append(samples[index]) }
      return
    }
    do throws(AACBackEndError) {
      try encoder?.encode(interleaved: samples)
    } catch {
      failure = .backEnd(error)
    }
  }

  /// Ends the segment; the remaining packets must be fetched afterwards.
  mutating func finish() {
    isFinished = true
    if failure != nil { return }
    do throws(AACBackEndError) {
      encoderTrim = try encoder?.finish()
    } catch {
      failure = .backEnd(error)
    }
  }

  /// The samples to trim from the segment.
  ///
  /// Valid after its last packet has been fetched, because an encoder may fail at that packet.
  var trim: StreamTrim {
    guard let encoder else {
      return StreamTrim(priming: 0, remainder: 0, sampleCount: sampleCount)
    }
    if failure == nil, let encoderTrim { return encoderTrim }
    return encoder.timing.trim(of: sampleCount, unitCount: unitCount)
  }

  /// Whether the segment is ending, so that the remaining samples form a short packet.
  private var isFinished = false

  /// Encodes the next unit; returns false until more samples arrive, and after an error.
  private mutating func nextUnit() -> Bool {
    if failure != nil { return false }
    do throws(AACBackEndError) {
      return try encoder?.nextAccessUnit(into: &unit) == true
    } catch {
      failure = .backEnd(error)
      return false
    }
  }

  /// Returns the next packet, or nil until more samples arrive.
  mutating func nextPacket() -> EncodedPacket? {
    if encoder != nil {
      guard nextUnit() else {
        isFinished = false
        return nil
      }
      unitCount += 1
      // Move the bytes to the packet: other threads use them, so the encoder must not share them.
      return EncodedPacket(taking: &unit, origin: segmentPosition)
    }
    let frames = min(pending.count / channelCount, Self.packetLength)
    guard frames == Self.packetLength || (isFinished && frames > 0) else {
      isFinished = false
      return nil
    }
    var bytes: [UInt8] = []
    let count = frames * channelCount
    let encoding: PCMEncoding = coding == .int16 ? .int16 : .float32
    bytes.reserveCapacity(count * encoding.byteCount)
    encoding.append(pending.span.extracting(..<count), to: &bytes)
    pending.removeFirst(count)
    let packet = EncodedPacket(bytes: bytes, position: packetPosition, sampleCount: frames)
    packetPosition += frames
    return packet
  }
}

extension AACBackEnd {
  func makeEncoder(
    _ settings: AACEncoder.Configuration
  ) throws(RecordingError) -> any AACEncoding {
    switch self {
    case .own:
      return try rethrow(as: RecordingError.encoder, AACEncoder(settings))
    case .system(let processing):
      return try rethrow(
        as: RecordingError.backEnd,
        AACSystemEncoder(SystemEncoderConfiguration(settings, processing)))
    }
  }
}
