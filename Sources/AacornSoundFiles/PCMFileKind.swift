/// A kind of file, recognized by its first bytes.
@frozen
public enum PCMFileKind: Equatable, Sendable {
  /// RIFF, RIFX, RF64 or BW64.
  case wav
  /// AIFF or AIFC.
  case aiff
  /// Core Audio Format.
  case caf
  /// A format that is not supported but has a name here.
  case other(Other)
  /// None of those.
  case unknown

  /// Formats that are recognized only so they can be named.
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
  }

  /// How many bytes `init(prefix:)` looks at.
  public static let prefixCount = 8

  /// Recognizes a file by its first eight bytes, or fewer if it is shorter.
  public init(prefix: Span<UInt8>) {
    var word: UInt64 = 0
    for index in 0..<Self.prefixCount {
      word = word << 8 | (index < prefix.count ? UInt64(prefix[index]) : 0)
    }
    let first = UInt32(truncatingIfNeeded: word >> 32)
    let second = UInt32(truncatingIfNeeded: word)
    switch (first, second) {
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
    case (_, fourCC("ftyp")), (_, fourCC("moov")), (_, fourCC("mdat")), (_, fourCC("wide")),
      (_, fourCC("styp")):
      self = .other(.mp4)
    default: self = Self.byFrameHeader(first)
    }
  }

  /// Recognizes streams that begin with a frame: ADTS, LOAS, MPEG audio.
  private static func byFrameHeader(_ word: UInt32) -> PCMFileKind {
    if word >> 8 == 0x49_44_33 { return .other(.taggedWithID3) }
    // Twelve sync bits, then the layer, which only ADTS sets to 0 (ISO/IEC 14496-3, 1.A.2.2).
    if word & 0xFFF6_0000 == 0xFFF0_0000 { return .other(.adts) }
    if word & 0xFFE0_0000 == 0x56E0_0000 { return .other(.loas) }
    // Eleven sync bits; version 01, layer 00 and the bit rate 1111 do not exist.
    let isMPEGAudio =
      word & 0xFFE0_0000 == 0xFFE0_0000 && word >> 19 & 3 != 1 && word >> 17 & 3 != 0
      && word >> 12 & 15 != 15
    return isMPEGAudio ? .other(.mp3) : .unknown
  }
}
