public import AacornCodec

/// Writes one track as an initialization section and media segments that are files of their own.
///
/// This is what HTTP Live Streaming calls fragmented MPEG-4 (RFC 8216, 3.3), and what browsers
/// take piece by piece:
///
///     initialization   ftyp  moov
///     segment          styp  moof  mdat    one fragment, or several one after the other
///
/// Fragments tell the time in samples from the start of the presentation, so a segment can be
/// decoded without the ones before it. The encoder's delay is in that time: the first frame is
/// decoded at 0, and an edit list has the sound begin after the priming. A time cannot be negative
/// in a fragment, and without the edit every player would play the priming as sound. Browsers and
/// Apple's players shift by the edit list; some others heed it only with the tag for gapless
/// playing beside it, which is there as well.
public struct MP4SegmentWriter: Sendable {
  private let fileHeader: [UInt8]
  private var fragments: MP4FragmentWriter
  private let samplesPerUnit: UInt64
  /// When the next frame is decoded, in samples of the presentation.
  public private(set) var time: UInt64
  /// Frames taken since the last fragment.
  public private(set) var pendingUnitCount = 0
  private var pendingByteCount = 0

  /// More would not fit the 32-bit size of the box.
  private static let payloadLimit = 1 << 30

  /// A writer; refuses what MP4 cannot carry.
  ///
  /// - Parameters:
  ///   - stream: The stream's configuration.
  ///   - timing: Its timing; what the priming covers is not to be heard.
  ///   - time: When the first frame is decoded, in samples, where something was there before.
  ///   - fragmentCount: How many fragments were there before.
  /// - Throws: What the format cannot carry.
  public init(
    stream: AudioSpecificConfig, timing: StreamTiming, time: UInt64 = 0, fragmentCount: UInt32 = 0
  ) throws(ContainerError) {
    guard timing.priming >= 0, timing.priming <= Int(Int32.max) else {
      throw .trimOutsideStream(priming: timing.priming, sampleCount: 0)
    }
    let parameters = try TrackParameters(stream, timing)
    let nominal = UInt32(clamping: timing.nominalBitrate)
    var box = BoxWriter()
    box.box(.fileType) { box in
      // The brand that brought fragments whose offsets count from their own start.
      box.put(.brandISO6)
      box.put32(0)
      box.put(.brandISO6)
      box.put(.brandMP42)
    }
    Movie(
      parameters: parameters, tags: MP4Tags(), creationTime: 0, priming: UInt32(timing.priming),
      bitrates: BitrateStatistics(maximum: nominal, average: nominal), isFragmented: true
    ).write(to: &box)
    fileHeader = box.bytes
    samplesPerUnit = parameters.samplesPerUnit
    fragments = MP4FragmentWriter(
      parameters, unitsPerFragment: .max, startTime: time, sequenceNumber: fragmentCount)
    self.time = time
  }

  /// The initialization section.
  public var initialization: [UInt8] { fileHeader }

  /// Fragments written, those before this writer included.
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

  /// Writes the frames taken since the last time as a fragment; nothing if there are none.
  ///
  /// - Parameters:
  ///   - startsSegment: Whether it is the first one of a segment.
  ///   - remainder: Samples at its end that are not to be played, because the sound ends there.
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
    time += duration - cut
    pendingUnitCount = 0
    pendingByteCount = 0
    return bytes
  }
}

extension FourCharacterCode {
  static let segmentType = FourCharacterCode("s", "t", "y", "p")
  static let brandMediaSegment = FourCharacterCode("m", "s", "d", "h")
}
