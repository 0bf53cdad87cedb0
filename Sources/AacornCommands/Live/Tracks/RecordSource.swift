import AacornDevices
import AacornRecording

/// The source of the audio, and the result of its selection.
struct RecordSource {
  let source: any CaptureSource
  let backend: DeviceBackend
  /// The errors of the systems that were tried first.
  private(set) var skippedErrors: [DeviceError] = []
  /// The tracks, the first of which uses `source`; empty for a recording without tracks.
  private(set) var tracks: [TrackSource] = []

  /// Selects a system and creates a source.
  ///
  /// Opens a file to play, but no device.
  init(_ sound: SoundChoice, _ configuration: RecordingConfiguration) throws(DeviceError) {
    if sound.isSynthetic {
      backend = .synthetic
      source = try Self.synthetic(sound, configuration)
      tracks = try Self.tracks(sound, source, configuration)
      return
    }
    var chosen = sound
    let system: any DeviceSystem.Type
    if let backend = sound.backend {
      system = try DeviceSystems.system(backend, for: .capture)
      if let text = sound.device { chosen.device = try Self.id(of: text, in: system) }
    } else if let text = sound.device {
      let found = try DeviceSystems.device(called: text)
      (system, skippedErrors) = (found.system, found.skippedErrors)
      chosen.device = found.id
    } else {
      (system, skippedErrors) = try DeviceSystems.preferredSystem(for: .capture)
    }
    backend = system.backend
    source = try system.makeSource(chosen.request(system.backend, for: configuration))
    tracks = try Self.tracks(sound, source, configuration)
  }

  /// The input of a session.
  var material: RecordingMaterial { tracks.isEmpty ? .one(.source(source)) : .tracks(tracks) }

  private static func tracks(
    _ sound: SoundChoice, _ leader: any CaptureSource, _ configuration: RecordingConfiguration
  ) throws(DeviceError) -> [TrackSource] {
    guard let first = sound.tracks.first else { return [] }
    var tracks = [TrackSource(first.configuration, from: leader)]
    for track in sound.tracks.dropFirst() {
      if let file = SyntheticSystem.fileDevice(id: track.source) {
        let signal = try Self.signal(file.path, of: track)
        tracks.append(TrackSource(track.configuration, playing: signal))
      } else if let builtIn = SyntheticSystem.BuiltIn(rawValue: track.source) {
        let signal = SyntheticSystem.signal(
          builtIn, sampleRate: configuration.sampleRate, channelCount: configuration.channelCount)
        tracks.append(TrackSource(track.configuration, playing: signal))
      } else {
        var choice = sound
        choice.tracks = []
        choice.device = track.source
        choice.channelMap = []
        if choice.backend == .synthetic { choice.backend = nil }
        tracks.append(
          TrackSource(track.configuration, from: try RecordSource(choice, configuration).source))
      }
    }
    return tracks
  }

  /// Opens a file to play; an error names the track, if the recording has tracks.
  private static func signal(
    _ path: String, of track: SoundChoice.Track?
  ) throws(DeviceError) -> FileSignal {
    do throws(DeviceError) {
      return try FileSignal(path: path)
    } catch {
      guard let track, case .unreadableFile(_, let reason) = error else { throw error }
      // A remedy follows the reason as a second sentence.
      let end = reason.firstRange(of: ". ")?.lowerBound ?? reason.endIndex
      let owner = " (the source of the track “\(track.configuration.name)”)"
      throw .unreadableFile(path: path, reason: reason[..<end] + owner + reason[end...])
    }
  }

  /// Returns the ID of the device with a name or an ID.
  ///
  /// Returns the text itself if the system does not list the device, because the system may still
  /// be able to open it. If not, opening the device reports the error.
  private static func id(
    of text: String, in system: any DeviceSystem.Type
  ) throws(DeviceError) -> String {
    do throws(DeviceError) {
      return try DeviceSystems.id(of: text, among: system.devices(for: .capture)) ?? text
    } catch {
      if case .ambiguousDevice = error { throw error }
      return text
    }
  }

  private static func synthetic(
    _ sound: SoundChoice, _ configuration: RecordingConfiguration
  ) throws(DeviceError) -> any CaptureSource {
    let pacing = sound.isUnpaced ? SyntheticSource.Pacing.unpaced : .realTime
    let request = sound.request(.synthetic, for: configuration)
    guard let id = sound.device, let file = SyntheticSystem.fileDevice(id: id) else {
      return try SyntheticSystem.makeSource(request, pacing: pacing)
    }
    if sound.isVoiceProcessed {
      throw .noVoiceProcessing(reason: "a file does not pass through the sound system")
    }
    let signal = try Self.signal(file.path, of: sound.tracks.first)
    return SyntheticSource(
      file.device, playing: sound.isLooped ? RepeatedSignal(signal) : signal,
      blockDuration: request.blockDuration, pacing: pacing)
  }
}

extension RecordSource {
  /// Prints the selected system, and the reasons why other systems were skipped.
  func explainChoice(in console: Console) {
    for error in skippedErrors {
      console.printError("Skipped: \(error.commandMessage(for: .capture))")
    }
    console.printError("The sound system is \(backend.title).")
  }
}
