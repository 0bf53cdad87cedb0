import AacornSystem

/// Files with one track each, in addition to the mix.
///
/// The files begin and end with the mix, sample for sample, and are split with it. Each contains a
/// track's contribution, with its effects, gain, pan, fades and ducking. Their sum is the mix
/// before the effects of the mix.
public struct Multitrack: Sendable {
  /// The folder, which is created if necessary; its files are named after their tracks.
  public var folder: String
  /// The format of the files: a format for AAC if the recording is AAC, and a format for samples
  /// otherwise.
  public var format: FileFormat
  /// The options for writing the files.
  public var options: FileOutput.Options

  /// Creates a setting for files in a folder.
  public init(
    _ folder: String, _ format: FileFormat, options: FileOutput.Options = FileOutput.Options()
  ) {
    self.folder = folder
    self.format = format
    self.options = options
  }

  package func path(of track: String) -> String {
    FileName.joined(folder, "\(track).\(format.rawValue)")
  }

  /// Returns the outputs for tracks with these names, after creating the folder.
  func outputs(for tracks: [String]) throws(OutputError) -> [FileOutput] {
    do throws(SystemError) {
      try System.makeFolder(folder)
    } catch {
      if error != .exists { throw OutputError(error, writing: folder) }
    }
    return tracks.map { FileOutput(path(of: $0), format, options: options) }
  }
}
