import AacornStreaming

extension LiveState {
  /// Whether the connection was lost and the output is reconnecting.
  var isReconnecting: Bool {
    if case .reconnecting = self { true } else { false }
  }
}
