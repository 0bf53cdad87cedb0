public import AacornCodec

/// Writes one track as an initialization section and media segments that are separate files.
///
/// HTTP Live Streaming calls this fragmented MPEG-4 (RFC 8216, 3.3); browsers take it piece by
/// piece:
///
///     initialization   ftyp  moov
///     segment          styp  moof  mdat    one or more fragments
///
/// Fragments give the time from the start of the presentation, so a segment can be
/// decoded without the ones before it. The encoder's delay is in that time: the first frame is
/// decoded at 0, and an edit list makes the audio begin after the priming. A time cannot be
/// negative in a fragment, and without the edit every player would play the priming. Browsers and
/// Apple's players shift by the edit list; some others respect it only together with the gapless
/// playback tag, so that is written too.
public struct MP4SegmentWriter: Sendable {
  private let fileHeader: [UInt8]
  private var fragments: MP4FragmentWriter
  private let samplesPerUnit: UInt64
  /// The decoding time of the next frame, in samples of the presentation.
  public private(set) var time: UInt64
  /// Frames received since the last fragment.
  public private(set) var pendingUnitCount = 0
  private var pendingByteCount = 0

  /// More would not fit the 32-bit size of the box.
  private static let payloadLimit = 1 << 30

  /// A writer; throws if MP4 cannot carry the stream.
  ///
  /// - Parameters:
  ///   - stream: The stream's configuration.
  ///   - timing: Its timing; the priming is not to be heard.
  ///   - time: The decoding time of the first frame, in samples, when continuing a presentation.
  ///   - fragmentCount: How many fragments came before.
  /// - Throws: If the format cannot carry the stream.
  public init(
    stream: AudioSpecificConfig, timing: StreamTiming, time: UInt64 = 0, fragmentCount: UInt32 = 0
  ) throws(ContainerError) {
    let parameters = try TrackParameters(stream, timing)
    var box = BoxWriter()
    box.box(.fileType) { box in
      // The brand that introduced fragments whose offsets count from their own start.
      box.put(.brandISO6)
      box.put32(0)
      box.put(.brandISO6)
      box.put(.brandMP42)
    }
    Movie(beforeFragments: parameters, timing).write(to: &box)
    fileHeader = box.bytes
    samplesPerUnit = parameters.samplesPerUnit
    fragments = MP4FragmentWriter(
      parameters, unitsPerFragment: .max, startTime: time, sequenceNumber: fragmentCount)
    self.time = time
  }

  /// The initialization section.
  public var initialization: [UInt8] { fileHeader }

  /// The number of fragments written, including those before this writer.
  public var fragmentCount: UInt32 { fragments.sequenceNumber }

  /// Takes the next frame.
  public mutating func append(_ unit: AccessUnit) throws(ContainerError) {
    guard pendingByteCount + unit.bytes.count <= Self.payloadLimit else {
      throw .frameTooLong(byteCount: unit.bytes.count, limit: Self.payloadLimit - pendingByteCount)
    }
    var none: [UInt8] = []
    fragments.append(unit.bytes, to: &none)
    pendingByteCount += unit.bytes.count
    pendingUnitCount += 1
  }

  /// Writes the frames received since the last call as a fragment; nothing if there are none.
  ///
  /// - Parameters:
  ///   - startsSegment: Whether it is the first fragment of a segment.
  ///   - remainder: Samples at its end that are not played, because the audio ends there.
  /// - Returns: The bytes.
  public mutating func takeFragment(startsSegment: Bool, remainder: Int = 0) -> [UInt8] {
    guard pendingUnitCount > 0 else { return [] }
    let duration = UInt64(pendingUnitCount) * samplesPerUnit
    let cut = min(UInt64(max(0, remainder)), duration)
    var bytes: [UInt8] = []
    if startsSegment {
      var box = BoxWriter()
      box.box(.segmentType) { box in
        box.put(.brandMediaSegment)
        box.put32(0)
        box.put(.brandMediaSegment)
        box.put(.brandISO6)
      }
      bytes = box.bytes
    }
    fragments.finish(remainder: cut, to: &bytes)
    time &+= duration - cut
    pendingUnitCount = 0
    pendingByteCount = 0
    return bytes
  }
}

extension FourCharacterCode {
  static let segmentType = FourCharacterCode("s", "t", "y", "p")
  static let segmentIndex = FourCharacterCode("s", "i", "d", "x")
  static let brandMediaSegment = FourCharacterCode("m", "s", "d", "h")
}
