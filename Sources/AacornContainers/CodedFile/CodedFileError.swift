public import AacornCodec
public import AacornSoundFiles

/// The reason why no AAC can be read from a file.
public enum CodedFileError: Error, Equatable, Sendable {
  /// A codec other than AAC.
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

  /// The file contains no AAC frames. The kind is the detected format, possibly `unknown`.
  case notAAC(PCMFileKind)
  /// There is no AAC track, or not the requested one. `found` is the number of AAC tracks.
  case noAudioTrack(found: Int)
  /// The audio is coded with another codec.
  case unsupportedCodec(Codec)
  /// An MP4 file that is incomplete: its tables are missing or cut off.
  ///
  /// `hasAudio` is whether there is audio whose frames could be found without the tables.
  case unfinished(hasAudio: Bool)
  /// An MP4 file from a pipe, with its tables after the audio.
  case requiresSeeking
  /// The audio is encrypted.
  case encrypted
  /// There is no audio track of any codec.
  case noAudio
  /// The decoder's configuration is missing or invalid.
  case invalidConfiguration
  /// A part of a fragmented stream, as used by DASH and HLS: an initialization segment without
  /// fragments, or fragments without their initialization segment.
  case pieceOfFragments(isBeginning: Bool)
}
