import AacornSoundFiles

/// The container of an audio file; the numbers are also in sound-reader.js.
enum SoundContainer: Int32 {
  case unknown = 0
  case wav = 1
  case aiff = 2
  case caf = 3
  case adts = 4
  case latm = 5
  case adif = 6
  case mp4 = 7
  case transportStream = 8

  /// Returns the container of a file of samples; unknown for all other files.
  init(_ kind: PCMFileKind) {
    switch kind {
    case .wav: self = .wav
    case .aiff: self = .aiff
    case .caf: self = .caf
    case .other, .unknown: self = .unknown
    }
  }
}
