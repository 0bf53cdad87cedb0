extension AACDecoder {
  /// Whether a few good units replace all state: true only for the tools of object type LC.
  ///
  /// The predictors of Main and LTP and the decorrelation of parametric stereo feed back their own
  /// output, and the noise of band replication continues from unit to unit.
  package var forgetsSoon: Bool {
    configuration.objectType == .lowComplexity && !replication.isActive
  }

  /// Returns whether two decoders of the same stream decode all later units to identical samples.
  package func isInStep(with other: AACDecoder) -> Bool {
    forgetsSoon && other.forgetsSoon && unitIndex == other.unitIndex && plan == other.plan
      && stranger == other.stranger && (stranger == nil || strangerCount == other.strangerCount)
      && replication.isPlain == other.replication.isPlain && core.isInStep(with: other.core)
  }
}
