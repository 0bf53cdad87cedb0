public import AacornCodec
public import AacornSoundFiles

/// Why no AAC can be read from a file.
public enum CodedFileError: Error, Equatable, Sendable {
  /// What a file holds instead of AAC.
  public enum Codec: Equatable, Sendable {
    /// The name of an MP4 sample entry, such as "alac".
    case sampleEntry(FourCharacterCode)
    /// An MPEG-4 object type indication, such as 0x6B for MP3 (ISO/IEC 14496-1, 7.2.6.6).
    case objectTypeIndication(UInt8)
    /// A type of MPEG-4 audio other than AAC.
    case audioObjectType(AudioObjectType)
    /// A stream type of a transport stream (ISO/IEC 13818-1, 2.4.4.9).
    case streamType(UInt8)
  }

  /// There are no frames of AAC in it; the kind is what it seems to be, possibly `unknown`.
  case notAAC(PCMFileKind)
  /// There is no AAC track, or not the one asked for; the number is that of those there are.
  case noAudioTrack(found: Int)
  /// The audio is coded in another way.
  case unsupportedCodec(Codec)
  /// An MP4 file that was not completed or is cut off: its tables are missing, or the rest of them;
  /// whether there is audio whose frames could be found without them.
  case unfinished(hasAudio: Bool)
  /// An MP4 file with its tables behind the audio, which comes from a pipe.
  case requiresSeeking
  /// The audio is encrypted.
  case encrypted
  /// There is no audio of any kind.
  case noAudio
  /// What tells how the audio is coded is missing or invalid.
  case invalidConfiguration
  /// A part of a stream in fragments, as DASH and HLS cut it: its beginning, which describes the
  /// fragments and holds none, or fragments without what describes them.
  case pieceOfFragments(isBeginning: Bool)
}
