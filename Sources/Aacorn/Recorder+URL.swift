public import AacornDevices
public import AacornRecording

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Recorder {
  /// A recorder from the default microphone to a file, whose suffix chooses the format.
  ///
  /// The microphone is looked for when the recording starts.
  ///
  /// - Parameters:
  ///   - url: The new file.
  ///   - request: What to ask of the microphone.
  ///   - configuration: What to record, and how to code it.
  /// - Throws: If the URL does not stand for a file.
  public init(
    to url: URL, request: CaptureRequest = CaptureRequest(),
    _ configuration: RecordingConfiguration = RecordingConfiguration()
  ) throws(AACFileError) {
    self.init(to: try AACFile.path(of: url), request: request, configuration)
  }
}
