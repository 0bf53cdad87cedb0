import AudioCapture
import Recording

/// Where the sound comes from, and how that was decided.
struct RecordSource {
  let source: any CaptureSource
  let backend: CaptureBackend
  /// Why systems that would have been preferred are not used.
  private(set) var passedOver: [CaptureError] = []

  /// Chooses a system and makes a source; nothing is opened yet but a file to be played.
  init(_ command: RecordCommand, _ plan: RecordPlan) throws(CaptureError) {
    if Self.isSynthetic(command) {
      backend = .synthetic
      source = try Self.synthetic(command, plan)
      return
    }
    let system: any CaptureSystem.Type
    if let backend = command.backend {
      system = try Capture.system(backend)
    } else if let id = command.device {
      (system, passedOver) = try Self.system(offering: id)
    } else {
      (system, passedOver) = try Capture.preferredSystem()
    }
    backend = system.backend
    source = try system.makeSource(Self.request(command, plan, system.backend))
  }

  /// Whether the sound is made or read by the program itself.
  static func isSynthetic(_ command: RecordCommand) -> Bool {
    if let backend = command.backend { return backend == .synthetic }
    guard let id = command.device else { return false }
    return SyntheticSystem.BuiltIn(rawValue: id) != nil || id.hasPrefix("file:")
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
    _ command: RecordCommand, _ plan: RecordPlan, _ backend: CaptureBackend
  ) -> CaptureRequest {
    var request = CaptureRequest(
      device: command.device.map { .pinned(id: $0) } ?? .followingDefault,
      isVoiceProcessed: command.isVoiceProcessed)
    // Servers are asked for the sound as the device has it, because the recorder converts better
    // and knows what it does. A driver can often run at the wanted rate, without conversion.
    if backend == .alsa || backend == .synthetic {
      request.sampleRate = plan.configuration.sampleRate
    }
    if backend == .synthetic {
      request.channelCount =
        command.channelMap.max().map { $0 + 1 } ?? plan.configuration.channelCount
    }
    return request
  }

  private static func synthetic(
    _ command: RecordCommand, _ plan: RecordPlan
  ) throws(CaptureError) -> any CaptureSource {
    let pacing = command.isUnpaced ? SyntheticSource.Pacing.unpaced : .realTime
    let request = request(command, plan, .synthetic)
    guard let id = command.device, let file = SyntheticSystem.fileDevice(id: id) else {
      return try SyntheticSystem.makeSource(request, pacing: pacing, faults: SyntheticFaults())
    }
    if command.isVoiceProcessed {
      throw .noVoiceProcessing(reason: "a file does not pass through the sound system")
    }
    return SyntheticSource(
      file.device, playing: try FileSignal(path: file.path),
      blockMilliseconds: request.blockMilliseconds, pacing: pacing)
  }
}
