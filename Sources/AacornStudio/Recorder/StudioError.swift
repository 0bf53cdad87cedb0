import AacornDevices
import AacornRecording

/// The reason why the studio rejects a request to record: a human-readable message, and an HTTP
/// status for programs.
struct StudioError: Error, Equatable {
  let status: Int
  let message: String
  /// The field of the form with the error, for display beside it; nil if the error is not about a
  /// field.
  let field: String?

  /// The name of the field with the effects.
  static let effects = "effects"

  init(_ status: Int, _ message: String, field: String? = nil) {
    self.status = status
    self.message = message
    self.field = field
  }

  /// A request with invalid settings.
  static func impossible(_ message: String) -> StudioError { StudioError(400, message) }

  /// Creates the rejection of effects that do not exist or cannot be created.
  init(_ error: EffectError) { self.init(400, error.message, field: Self.effects) }

  /// Creates the rejection of a capture that is impossible as requested (400) or at present (503).
  init(_ error: CaptureError) {
    let isImpossible =
      switch error {
      case .unknownDevice, .unsupportedFormat, .noVoiceProcessing, .backendUnavailable: true
      default: false
      }
    self.init(isImpossible ? 400 : 503, error.pageMessage)
  }

  /// Creates the error for a recording into the file `name`, or for monitoring, that did not start.
  init(_ error: RecordingError, file name: String? = nil) {
    let message = error.pageMessage(file: name)
    switch error {
    case .capture(let error): self.init(error)
    case .effects(let error): self.init(error)
    case .encoder, .backEnd, .unsupportedConversion, .mixedCodings, .noSuchChannel, .tracks:
      self.init(400, message)
    case .output(let output), .allOutputsFailed(let output):
      self.init(output.kind == .diskFull ? 507 : 503, message)
    case .noThread, .alreadyStarted, .stopped: self.init(503, message)
    }
  }
}
