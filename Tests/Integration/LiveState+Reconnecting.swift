import AacornStreaming

extension LiveState {
  /// Whether the connection was lost, and another one is being tried.
  var isReconnecting: Bool {
    if case .reconnecting = self { true } else { false }
  }
}
