import AacornDevices
import AacornRecording

/// The source of the audio, and how it was chosen.
struct RecordSource {
  let source: any CaptureSource
  let backend: CaptureBackend
  /// Why preferred systems are not used.
  private(set) var passedOver: [CaptureError] = []

  /// Chooses a system and creates a source; nothing is opened yet except a file to play.
  init(_ sound: SoundChoice, _ configuration: RecordingConfiguration) throws(CaptureError) {
    if sound.isSynthetic {
      backend = .synthetic
      source = try Self.synthetic(sound, configuration)
      return
    }
    let system: any CaptureSystem.Type
    if let backend = sound.backend {
      system = try Capture.system(backend)
    } else if let id = sound.device {
      (system, passedOver) = try Capture.system(offering: id)
    } else {
      (system, passedOver) = try Capture.preferredSystem()
    }
    backend = system.backend
    source = try system.makeSource(sound.request(system.backend, for: configuration))
  }

  private static func synthetic(
    _ sound: SoundChoice, _ configuration: RecordingConfiguration
  ) throws(CaptureError) -> any CaptureSource {
    let pacing = sound.isUnpaced ? SyntheticSource.Pacing.unpaced : .realTime
    let request = sound.request(.synthetic, for: configuration)
    guard let id = sound.device, let file = SyntheticSystem.fileDevice(id: id) else {
      return try SyntheticSystem.makeSource(request, pacing: pacing, faults: SyntheticFaults())
    }
    if sound.isVoiceProcessed {
      throw .noVoiceProcessing(reason: "a file does not pass through the sound system")
    }
    let signal = try FileSignal(path: file.path)
    return SyntheticSource(
      file.device, playing: sound.isLooped ? RepeatedSignal(signal) : signal,
      blockMilliseconds: request.blockMilliseconds, pacing: pacing)
  }
}

extension RecordSource {
  /// Reports which system was chosen, and why not another one.
  func explainChoice(in console: Console) {
    for error in passedOver { console.printError("Passed over: \(error.sentence)") }
    console.printError("The sound comes through \(backend.title).")
  }
}
