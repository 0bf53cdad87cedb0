import AudioCapture
import Recording
import Streaming

/// Why the studio does not record as it was asked to: a sentence for people, and a status for
/// programs.
struct StudioRefusal: Error, Equatable {
  let status: Int
  let sentence: String

  init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  /// What was asked for cannot be.
  static func impossible(_ sentence: String) -> StudioRefusal { StudioRefusal(400, sentence) }

  /// The sound cannot be captured: as asked for never, or not just now.
  init(_ error: CaptureError) {
    let isImpossible =
      switch error {
      case .unknownDevice, .unsupportedFormat, .noVoiceProcessing, .backendUnavailable: true
      default: false
      }
    self.init(isImpossible ? 400 : 503, error.studioSentence)
  }

  /// A recording into a file of this name did not begin, or listening did not.
  init(_ error: RecordingError, file name: String? = nil) {
    let sentence = error.studioSentence(file: name)
    switch error {
    case .capture(let error): self.init(error)
    case .encoder, .unsupportedConversion, .noSuchChannel: self.init(400, sentence)
    case .output(let output), .allOutputsFailed(let output):
      self.init(output.kind == .diskFull ? 507 : 503, sentence)
    case .noThread, .alreadyStarted: self.init(503, sentence)
    }
  }
}

// The sentences of the command, where those name its options.

extension CaptureError {
  /// What happened and what to do, for somebody in front of a page.
  var studioSentence: String {
    switch self {
    case .noServer: sentence("Start it.")
    case .unknownDevice, .backendUnavailable: sentence("Choose a device from the list.")
    case .noVoiceProcessing: sentence("Record without voice processing.")
    case .nothingUsable: sentence("record a built-in sound instead")
    default: sentence
    }
  }
}

extension OutputError {
  /// What happened and what to do, for somebody in front of a page.
  func studioSentence(_ name: String) -> String {
    switch kind {
    case .diskFull:
      "There is no room for more of “\(name)” on its disk. What fitted is kept and can be played. "
        + "Make room on the disk."
    case .busy: "“\(name)” is being written by another program. Choose another name."
    case .exists: "“\(name)” exists already and was left alone. Choose another name."
    case .cannotWrite:
      "“\(name)” cannot be written into the studio's folder. Check the folder, its rights and its "
        + "disk."
    case .lost, .readerGone, .tooSlow, .unsupported, .connection: sentence
    }
  }
}

extension RecordingError {
  /// What happened and what to do, for somebody in front of a page; with the name of the file that
  /// is recorded, if there is one.
  func studioSentence(file name: String?) -> String {
    switch self {
    case .capture(let error): error.studioSentence
    case .unsupportedConversion:
      "The device's sound cannot be brought to this sampling rate and this number of channels. "
        + "Choose others."
    case .output(let error), .allOutputsFailed(let error):
      name.map { error.studioSentence($0) } ?? error.sentence
    case .encoder, .noSuchChannel, .noThread, .alreadyStarted: sentence
    }
  }
}
