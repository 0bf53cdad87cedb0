import AacornSoundFiles
import AacornSystem

/// The reason why the system's sound library does not read a file.
enum SoundLibraryError: Error, Equatable {
  /// The library is not installed; with its file name and Debian's package.
  case libraryMissing(library: String, package: String)
  /// The library cannot be loaded, or lacks a function.
  case libraryUnsuitable(library: String, reason: String)
  /// The library rejects the file; with its name, its version as major · 1,000,000 + minor · 1,000
  /// + patch, and its error text.
  case refused(library: String, version: Int, reason: String)
  /// The channel count is out of range.
  case unsupportedChannelCount(Int)
  /// The sampling rate is out of range.
  case unsupportedSampleRate(Int)
  /// There is no such library on this system.
  case unavailable
  /// The system cannot read the file.
  case system(SystemError)

  /// Returns the kind of the file and the reason, as the end of a sentence that begins with its
  /// name.
  func clause(for format: FileKind.Other) -> String {
    let file = "is \(format.phrase)"
    switch self {
    case .libraryMissing(let library, _):
      return "\(file), and the library that reads it, \(library), is not installed"
    case .libraryUnsuitable(let library, let reason):
      return "\(file), and the library that reads it, \(library), cannot be used (\(reason))"
    case .refused(let library, _, let words):
      let words = words.isEmpty ? "" : " (\(displayed(words)))"
      return "\(file) that \(library) does not read\(words)"
    case .unsupportedChannelCount(let count): return "\(file) with \(count) channels"
    case .unsupportedSampleRate(let rate): return "\(file) with a sampling rate of \(rate) Hz"
    case .unavailable: return "\(file), for which this system has no library"
    case .system(let error): return "\(file) that cannot be read (\(error.text))"
    }
  }

  /// Returns the remedy, as a clause; nil if only a conversion helps.
  func remedy(for format: FileKind.Other) -> String? {
    switch self {
    case .libraryMissing(_, let package): "on Debian it is in the package \(package)"
    case .refused(_, let version, _):
      format.neededVersion.flatMap { needed in
        version < needed.number ? "\(needed.text) or later" : nil
      }
    default: nil
    }
  }
}

extension FileKind.Other {
  /// Whether the system's sound library is needed for the format, and usually reads it.
  var isForLibrary: Bool {
    switch self {
    case .flac, .mp3, .taggedWithID3, .ogg, .wave64, .sunAudio: true
    default: false
    }
  }

  /// Whether the format is MPEG audio, possibly after a tag.
  var isMPEGAudio: Bool { self == .mp3 || self == .taggedWithID3 }

  /// The first version of libsndfile that reads the format, unless all current versions do.
  fileprivate var neededVersion: (number: Int, text: String)? {
    switch self {
    case .mp3, .taggedWithID3: (1_001_000, "MP3 needs libsndfile 1.1")
    case .ogg: (1_000_029, "Opus needs libsndfile 1.0.29")
    default: nil
    }
  }
}

extension AACFileError {
  /// Creates the error for a file of this kind that the system's sound library does not read.
  init(_ error: SoundLibraryError, _ format: FileKind.Other, path: String) {
    if case .system(let error) = error {
      self.init(.read, path, because: error)
      return
    }
    let advice = error.remedy(for: format).map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
    let problem = "“\(displayed(path))” \(error.clause(for: format))."
    if case .refused = error {
      self.init(.unsupported, advice.map { "\(problem) \($0)" } ?? problem, suggestion: .convert)
    } else {
      self.init(.unsupported, problem, suggestion: advice.map { .text($0) } ?? .convert)
    }
  }
}
