import Testing

/// All tests, one at a time, because there is a single phone and a single Mac.
@Suite(.serialized) struct OnSimulatedApple {}
