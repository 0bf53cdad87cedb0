/// Suffixes of files that contain audio, or video with audio.
package enum SoundSuffixes {
  /// The suffixes in lower case.
  package static let all: Set<String> = [
    "3g2", "3gp", "aa3", "aac", "aax", "ac3", "adif", "adts", "aif", "aifc", "aiff", "alac", "amr",
    "ape", "asf", "au", "avi", "bwf", "caf", "dff", "dsf", "dts", "eac3", "f4v", "flac", "flv",
    "latm", "loas", "m2ts", "m4a", "m4b", "m4p", "m4r", "m4v", "mid", "midi", "mka", "mkv", "mov",
    "mp1", "mp2", "mp3", "mp4", "mpc", "mpeg", "mpg", "mpga", "mts", "oga", "ogg", "ogv", "opus",
    "ra", "rf64", "rm", "snd", "spx", "tak", "ts", "tta", "vob", "w64", "wav", "wave", "weba",
    "webm", "wma", "wmv", "wv",
  ]

  /// The suffixes that TypeScript files have as well.
  package static let ambiguous: Set<String> = ["ts", "mts"]
}
