public import AacornDevices
public import AacornRecording

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Recorder {
  /// Creates a recorder from the default microphone to a file, whose suffix chooses the format.
  ///
  /// The recorder searches for the microphone when the recording starts.
  ///
  /// - Parameters:
  ///   - url: The new file.
  ///   - request: The request for the microphone.
  ///   - configuration: The settings of the recording and the encoding.
  /// - Throws: An error if the URL is not a file URL.
  public init(
    to url: URL, request: CaptureRequest = CaptureRequest(),
    _ configuration: RecordingConfiguration = RecordingConfiguration()
  ) throws(AACFileError) {
    self.init(to: try AACFile.path(of: url), request: request, configuration)
  }
}
