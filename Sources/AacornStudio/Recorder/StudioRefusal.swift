import AacornDevices
import AacornRecording

/// Why the studio does not record as requested: a sentence for people, and a status for programs.
struct StudioRefusal: Error, Equatable {
  let status: Int
  let sentence: String
  /// The field of the form that it is about, where a page shows it; nil if it is about none.
  let field: String?

  /// The field of effects.
  static let effects = "effects"

  init(_ status: Int, _ sentence: String, field: String? = nil) {
    self.status = status
    self.sentence = sentence
    self.field = field
  }

  /// A request that is impossible.
  static func impossible(_ sentence: String) -> StudioRefusal { StudioRefusal(400, sentence) }

  /// Effects that do not exist or cannot be made.
  init(_ error: EffectError) { self.init(400, error.sentence, field: Self.effects) }

  /// The audio cannot be captured, either not as requested or not at present.
  init(_ error: CaptureError) {
    let isImpossible =
      switch error {
      case .unknownDevice, .unsupportedFormat, .noVoiceProcessing, .backendUnavailable: true
      default: false
      }
    self.init(isImpossible ? 400 : 503, error.studioSentence)
  }

  /// A recording into a file with this name did not begin, or listening did not.
  init(_ error: RecordingError, file name: String? = nil) {
    let sentence = error.studioSentence(file: name)
    switch error {
    case .capture(let error): self.init(error)
    case .effects(let error): self.init(error)
    case .encoder, .backEnd, .unsupportedConversion, .mixedCodings, .noSuchChannel, .tracks:
      self.init(400, sentence)
    case .output(let output), .allOutputsFailed(let output):
      self.init(output.kind == .diskFull ? 507 : 503, sentence)
    case .noThread, .alreadyStarted, .stopped: self.init(503, sentence)
    }
  }
}
