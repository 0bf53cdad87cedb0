/// A kind of file, recognized by its first bytes.
@frozen
public enum FileKind: Equatable, Sendable {
  /// RIFF, RIFX, RF64 or BW64.
  case wav
  /// AIFF or AIFC.
  case aiff
  /// Core Audio Format.
  case caf
  /// A known but unsupported format.
  case other(Other)
  /// An unknown format.
  case unknown

  /// Formats that are recognized only to name them.
  @frozen
  public enum Other: UInt8, Equatable, Sendable, CaseIterable {
    /// Free Lossless Audio Codec.
    case flac
    /// MPEG-1 or MPEG-2 audio, layers I to III.
    case mp3
    /// An ID3v2 tag, nearly always followed by MP3, sometimes by ADTS.
    case taggedWithID3
    /// Ogg: Vorbis, Opus or FLAC.
    case ogg
    /// MP4, M4A or QuickTime.
    case mp4
    /// AAC in ADTS frames.
    case adts
    /// AAC with an ADIF header.
    case adif
    /// AAC in LOAS frames.
    case loas
    /// Matroska or WebM.
    case matroska
    /// WavPack.
    case wavPack
    /// Monkey's Audio.
    case monkeysAudio
    /// Windows Media.
    case asf
    /// Sony Wave64.
    case wave64
    /// Sun and NeXT audio (.au, .snd).
    case sunAudio
    /// Audio Video Interleave.
    case avi
    /// MPEG-2 transport stream, with or without time stamps before its packets.
    case transportStream
    /// MPEG-1 or MPEG-2 program stream.
    case programStream
    /// Flash video.
    case flashVideo
    /// Musical notes, not audio.
    case midi
  }

  /// The number of bytes that `init(prefix:)` needs to distinguish the formats for a reader of PCM.
  public static let prefixCount = 8
  /// The maximum number of bytes that `init(prefix:)` examines.
  public static let longPrefixCount = 2048

  /// Recognizes a file by its first eight bytes, or fewer if it is shorter.
  ///
  /// With more bytes, up to `longPrefixCount`, it also recognizes transport streams, AVI and the
  /// content after a short tag. MPEG audio is then recognized only if its second frame is at the
  /// right offset.
  public init(prefix: Span<UInt8>) {
    var word: UInt64 = 0
    for index in 0..<Self.prefixCount {
      word = word << 8 | (index < prefix.count ? UInt64(prefix[index]) : 0)
    }
    let first = UInt32(truncatingIfNeeded: word >> 32)
    let second = UInt32(truncatingIfNeeded: word)
    switch (first, second) {
    case (fourCC("RIFF"), _) where prefix.word(at: 8) == fourCC("AVI "):
      self = .other(.avi)
    case (fourCC("RIFF"), _), (fourCC("RIFX"), _), (fourCC("RF64"), _), (fourCC("BW64"), _):
      self = .wav
    case (fourCC("FORM"), _): self = .aiff
    case (fourCC("caff"), _): self = .caf
    case (fourCC("fLaC"), _): self = .other(.flac)
    case (fourCC("OggS"), _): self = .other(.ogg)
    case (fourCC("ADIF"), _): self = .other(.adif)
    case (fourCC("wvpk"), _): self = .other(.wavPack)
    case (fourCC("MAC "), _): self = .other(.monkeysAudio)
    case (fourCC("riff"), 0x2E91_CF11): self = .other(.wave64)
    case (fourCC(".snd"), _): self = .other(.sunAudio)
    case (0x1A45_DFA3, _): self = .other(.matroska)
    case (0x3026_B275, _): self = .other(.asf)
    case (fourCC("MThd"), _): self = .other(.midi)
    case (0x464C_5601, _): self = .other(.flashVideo)
    case _ where Self.isBox(second): self = .other(.mp4)
    case (0x0000_01BA, _): self = .other(.programStream)
    default: self = Self.kindOfFrames(first, prefix)
    }
  }

  /// Returns whether a file is MP4, M4A or QuickTime, by the name of its first box.
  package static func isMovie(_ prefix: Span<UInt8>) -> Bool {
    prefix.word(at: 4).map(isBox) ?? false
  }

  /// Returns whether MP4 files can begin with the box of this name.
  private static func isBox(_ name: UInt32) -> Bool {
    switch name {
    case fourCC("ftyp"), fourCC("moov"), fourCC("mdat"), fourCC("wide"), fourCC("free"),
      fourCC("skip"), fourCC("styp"), fourCC("sidx"), fourCC("moof"):
      true
    default: false
    }
  }

  /// Returns the length of the ID3v2 tag at the start of a file in bytes; nil without a valid tag.
  ///
  ///     "ID3"   version:8, 2 to 4   revision:8   flags:8   size:32, seven bits per byte   content
  public static func tagByteCount(_ prefix: Span<UInt8>) -> Int? {
    guard prefix.count >= 10, prefix[0] == 0x49, prefix[1] == 0x44, prefix[2] == 0x33,
      (2...4).contains(prefix[3]), prefix[4] != 0xFF, prefix[5] & 0x0F == 0
    else { return nil }
    var size = 0
    for index in 6..<10 {
      if prefix[index] >= 0x80 { return nil }
      size = size << 7 | Int(prefix[index])
    }
    let hasFooter = prefix[5] & 0x10 != 0
    return 10 + size + (hasFooter ? 10 : 0)
  }

  /// Recognizes streams that begin with a frame: ADTS, LOAS, MPEG audio; and transport streams.
  private static func kindOfFrames(_ word: UInt32, _ prefix: Span<UInt8>) -> FileKind {
    let end = min(prefix.count, longPrefixCount)
    let start = StreamTag.totalByteCount(prefix.extracting(0..<end))
    if start > 0, start + 4 <= end {
      let kind = FileKind(prefix: prefix.extracting(start..<end))
      if kind != .unknown { return kind }
    }
    if word >> 8 == 0x49_44_33 { return .other(.taggedWithID3) }
    // Twelve sync bits, then the layer, which only ADTS sets to 0 (ISO/IEC 14496-3, 1.A.2.2).
    if word & 0xFFF6_0000 == 0xFFF0_0000 { return .other(.adts) }
    if word & 0xFFE0_0000 == 0x56E0_0000 { return .other(.loas) }
    if isMPEGAudio(word, prefix) { return .other(.mp3) }
    return isTransportStream(prefix) ? .other(.transportStream) : .unknown
  }

  /// Returns whether a frame is followed by another one, if `prefix` is long enough to show it.
  private static func isMPEGAudio(_ first: UInt32, _ prefix: Span<UInt8>) -> Bool {
    guard let header = MPEGAudioHeader(first) else { return false }
    guard let next = header.byteCount, let second = prefix.word(at: next) else {
      return prefix.count < longPrefixCount
    }
    return header.isSameStream(as: second)
  }

  /// Returns whether sync bytes are at equal distances (ISO/IEC 13818-1, 2.4.3.2): 188 bytes, 192
  /// with time stamps, 204 with parity.
  ///
  /// A stream may begin in the middle of a packet; then five sync bytes are required, otherwise
  /// three.
  private static func isTransportStream(_ prefix: Span<UInt8>) -> Bool {
    var byteCount = 188
    while byteCount <= 204 {
      for first in 0..<byteCount {
        let needed = first == 0 || byteCount == 192 && first == 4 ? 3 : 5
        var index = first
        var count = 0
        while index < prefix.count, count < 5, prefix[index] == 0x47 {
          count += 1
          index += byteCount
        }
        // The sync bytes must continue to the end of the prefix.
        if count >= needed && (count == 5 || index >= prefix.count) { return true }
      }
      byteCount += byteCount == 188 ? 4 : 12
    }
    return false
  }
}
