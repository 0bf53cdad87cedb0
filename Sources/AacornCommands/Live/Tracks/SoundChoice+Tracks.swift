import AacornDevices
import AacornRecording
import AacornSystem

extension SoundChoice {
  struct Track: Sendable, Equatable {
    var configuration: TrackConfiguration
    /// The source, in the syntax of `--device`.
    var source: String

    /// Whether the source is a file.
    var isFile: Bool { source.hasPrefix("file:") }
    /// Whether the program itself generates or reads the audio.
    var isSynthetic: Bool { isFile || SyntheticSystem.BuiltIn(rawValue: source) != nil }
  }

  /// Converts a value of `--source` to the syntax of `--device`.
  static func device(for source: String) -> String {
    if source.hasPrefix("file:") || SyntheticSystem.BuiltIn(rawValue: source) != nil {
      return source
    }
    let isExistingFile = (try? System.status(of: source))?.kind == .file
    // A missing sound file should be reported as such, and not as an unknown device.
    return isExistingFile || SoundSuffixes.all.contains(FileName.suffix(source))
      ? "file:" + source : source
  }

  /// Returns the choice with its tracks in order.
  ///
  /// The source of the first track becomes the device.
  func resolved() throws(UsageError) -> SoundChoice {
    var choice = self
    choice.trackArguments = TrackArguments()
    let tracks = try trackArguments.tracks()
    try Self.checkDevices(of: tracks)
    let first = tracks.first?.source ?? trackArguments.unnamed.map { Self.device(for: $0) }
    guard let source = first else { return choice }
    if let device {
      throw UsageError(
        "The source cannot be both “\(displayed(device))” and “\(displayed(source))”.",
        hint: "Give --device or --source.")
    }
    choice.device = source
    choice.tracks = tracks
    if tracks.first?.configuration.loops == true { choice.isLooped = true }
    if isUnpaced, let other = tracks.first(where: { !$0.isSynthetic }) {
      throw UsageError(
        "The source of the track “\(displayed(other.configuration.name))” cannot be --unpaced.",
        hint: "Omit --unpaced, or use only files and test signals.")
    }
    return choice
  }

  /// Rejects a device in two tracks: its audio would be added to itself.
  private static func checkDevices(of tracks: [Track]) throws(UsageError) {
    let devices = tracks.filter { !$0.isSynthetic }
    for (index, track) in devices.enumerated() {
      let earlier = devices[..<index].first { $0.source == track.source }
      guard let other = earlier else { continue }
      throw UsageError(
        "The tracks “\(displayed(other.configuration.name))” and "
          + "“\(displayed(track.configuration.name))” have the same source, the device "
          + "“\(displayed(track.source))”.",
        hint: "Choose another one for one of them; see “aacorn devices”.")
    }
  }

  /// The names of the device tracks, except the first track.
  var furtherDevices: [String] {
    tracks.dropFirst().filter { !$0.isSynthetic }.map(\.configuration.name)
  }

  var filePaths: [String] {
    let others = tracks.dropFirst().compactMap { SyntheticSystem.fileDevice(id: $0.source)?.path }
    return [filePath].compactMap(\.self) + others
  }

  /// Returns the configuration of separate files for the tracks, if requested.
  ///
  /// `path` is the path of the mix.
  func multitrack(
    besides path: String?, _ format: FileFormat, _ options: FileOutput.Options
  ) throws(UsageError) -> Multitrack? {
    guard let folder = multitrackFolder else { return nil }
    try reject(
      if: tracks.isEmpty, "--multitrack is for tracks.",
      hint: "Name them with --source, such as --source mic=DEVICE.")
    let multitrack = Multitrack(folder, format, options)
    for track in tracks {
      let file = multitrack.path(of: track.configuration.name)
      if let path, FileName.canonical(path) == FileName.canonical(file) {
        throw UsageError(
          "The mix and the track “\(displayed(track.configuration.name))” would both be written to "
            + "“\(displayed(path))”.", hint: "Choose another folder or another file.")
      }
    }
    return multitrack
  }

  /// Rejects tracks that cannot be recorded together.
  func checkTracks(channelCount: Int) throws(UsageError) {
    if tracks.isEmpty { return }
    do throws(RecordingError) {
      try TrackConfiguration.validate(tracks.map(\.configuration), channelCount: channelCount)
    } catch {
      throw UsageError(error.message)
    }
  }
}
