import AacornDevices

/// Where a recording gets its source from.
enum SourceOrigin: Sendable {
  /// It is there.
  case source(any CaptureSource)
  /// It is looked for when the recording begins, which may take a sound server some time.
  case request(CaptureRequest)

  /// The source; not yet opened.
  func source() throws(CaptureError) -> any CaptureSource {
    switch self {
    case .source(let source): source
    case .request(let request): try CaptureSystems.makeSource(request)
    }
  }

  /// Stops a source that the recording does not want after all.
  func stop() {
    if case .source(let source) = self { source.stop() }
  }
}
