import AacornSystem

/// Files with one track each, beside the mix.
///
/// They begin and end with the mix, sample for sample, are split where it is split, and contain what
/// each track contributes to it, with its effects, gain, pan, fades and ducking: added up they are the
/// mix, before what the mix itself goes through.
public struct Multitrack: Sendable {
  /// The folder, which is made if need be; a file in it is called like its track.
  public var folder: String
  /// The format of the files; AAC if the recording is AAC, and samples otherwise.
  public var format: FileFormat
  /// How the files are written.
  public var options: FileOutput.Options

  /// Wants files in a folder.
  public init(
    _ folder: String, _ format: FileFormat, _ options: FileOutput.Options = FileOutput.Options()
  ) {
    self.folder = folder
    self.format = format
    self.options = options
  }

  /// The path of a track's file.
  package func path(of track: String) -> String {
    FileName.joined(folder, "\(track).\(format.rawValue)")
  }

  /// The outputs for tracks of these names, in a folder that exists.
  func outputs(for tracks: [String]) throws(OutputError) -> [FileOutput] {
    do throws(SystemError) {
      try System.makeFolder(folder)
    } catch {
      if error != .exists { throw OutputError(error, writing: folder) }
    }
    return tracks.map { FileOutput(path(of: $0), format, options) }
  }
}
