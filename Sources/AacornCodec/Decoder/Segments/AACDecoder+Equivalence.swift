extension AACDecoder {
  /// Whether a few good units replace all state: true only for the tools of object type LC.
  ///
  /// The predictors of Main and LTP and the decorrelation of parametric stereo feed back their own
  /// output, and the noise of band replication continues from unit to unit.
  package var hasShortMemory: Bool {
    configuration.objectType == .lowComplexity && !replication.isActive
  }

  /// Returns whether two decoders of the same stream decode all later units to identical samples.
  package func isEquivalent(to other: AACDecoder) -> Bool {
    hasShortMemory && other.hasShortMemory && unitIndex == other.unitIndex && plan == other.plan
      && foreignPlan == other.foreignPlan
      && (foreignPlan == nil || foreignUnitCount == other.foreignUnitCount)
      && replication.hasNoPayload == other.replication.hasNoPayload
      && core.isEquivalent(to: other.core)
  }
}
