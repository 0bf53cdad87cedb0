extension AACDecoder {
  /// Whether what came before is forgotten after a few good units: only the tools of object type LC
  /// do so.
  ///
  /// The predictors of Main and LTP and the decorrelation of parametric stereo feed on their own
  /// output, and the noise of band replication goes on from unit to unit.
  package var forgetsSoon: Bool {
    configuration.objectType == .lowComplexity && !replication.isActive
  }

  /// Whether it and another decoder of the same stream are certain to make the same samples, to the
  /// bit, of all units to come.
  package func isInStep(with other: AACDecoder) -> Bool {
    forgetsSoon && other.forgetsSoon && unitIndex == other.unitIndex && plan == other.plan
      && stranger == other.stranger && (stranger == nil || strangerCount == other.strangerCount)
      && replication.isPlain == other.replication.isPlain && core.isInStep(with: other.core)
  }
}
