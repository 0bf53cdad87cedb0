import AacornRecording
import AacornStreaming
import AacornSystem

extension StreamCommand {
  /// Returns an error if an output would overwrite a file that the stream reads.
  func overwriteError(of plan: LivePlan) -> CommandFailure? {
    let sources = SourceFiles(
      plan.sound.filePaths
        + [file, metadataFile, credentialsFile, certificateFile].compactMap(\.self))
    for track in plan.sound.tracks {
      let path = plan.configuration.multitrack?.path(of: track.configuration.name)
      if let path, let input = sources.replaced(byRecordingTo: path) {
        return .isInput(input, option: "--multitrack")
      }
    }
    for output in plan.outputs {
      switch output {
      case .save(let path, _, _):
        if let path = sources.replaced(byRecordingTo: path) {
          return .isInput(path, option: "--save")
        }
      case .hls(let hls):
        for path in hls.ownFiles where sources.contains(path) {
          return .isInput(path, option: "--hls")
        }
      case .server: break
      }
    }
    return nil
  }
}

extension LivePlan.HLS {
  /// The paths of files in the output folders with generated names, which HLS may replace or
  /// remove.
  fileprivate var ownFiles: [String] {
    let endings = [".m3u8", ".mp4", ".m4s", ".aac"]
    return folders.flatMap { folder in
      let names = ((try? System.names(inFolder: folder)) ?? []).filter { name in
        name.hasPrefix(configuration.name) && endings.contains { name.hasSuffix($0) }
      }
      return names.map { FileName.joined(folder, $0) }
    }
  }
}
