import AudioCapture
import Recording

/// Where the sound comes from, and how that was decided.
struct RecordSource {
  let source: any CaptureSource
  let backend: CaptureBackend
  /// Why systems that would have been preferred are not used.
  private(set) var passedOver: [CaptureError] = []

  /// Chooses a system and makes a source; nothing is opened yet but a file to be played.
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
      (system, passedOver) = try Self.system(offering: id)
    } else {
      (system, passedOver) = try Capture.preferredSystem()
    }
    backend = system.backend
    source = try system.makeSource(Self.request(sound, configuration, system.backend))
  }

  /// The first system that can be used and has the device.
  private static func system(
    offering id: String
  ) throws(CaptureError) -> (any CaptureSystem.Type, [CaptureError]) {
    var errors: [CaptureError] = []
    var firstUsable: (any CaptureSystem.Type)?
    for system in Capture.systems {
      do throws(CaptureError) {
        try system.checkAvailability()
        let devices = try system.devices()
        if devices.contains(where: { $0.id == id }) { return (system, errors) }
        if devices.isEmpty { throw .noDevice(backend: system.backend) }
        firstUsable = firstUsable ?? system
        errors.append(.unknownDevice(id: id, backend: system.backend))
      } catch {
        errors.append(error)
      }
    }
    if let firstUsable { throw .unknownDevice(id: id, backend: firstUsable.backend) }
    throw .nothingUsable(errors)
  }

  private static func request(
    _ sound: SoundChoice, _ configuration: RecordingConfiguration, _ backend: CaptureBackend
  ) -> CaptureRequest {
    var request = CaptureRequest(
      device: sound.device.map { .pinned(id: $0) } ?? .followingDefault,
      isVoiceProcessed: sound.isVoiceProcessed)
    // Servers are asked for the sound as the device has it, because the recorder converts better
    // and knows what it does. A driver can often run at the wanted rate, without conversion.
    if backend == .alsa || backend == .synthetic {
      request.sampleRate = configuration.sampleRate
    }
    if backend == .synthetic {
      request.channelCount =
        sound.channelMap.max().map { $0 + 1 } ?? configuration.channelCount
    }
    return request
  }

  private static func synthetic(
    _ sound: SoundChoice, _ configuration: RecordingConfiguration
  ) throws(CaptureError) -> any CaptureSource {
    let pacing = sound.isUnpaced ? SyntheticSource.Pacing.unpaced : .realTime
    let request = request(sound, configuration, .synthetic)
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
  /// Says which system was chosen, and why not another one.
  func explainChoice(in console: Console) {
    for error in passedOver { console.printError("Passed over: \(error.sentence)") }
    console.printError("The sound comes through \(backend.title).")
  }
}
