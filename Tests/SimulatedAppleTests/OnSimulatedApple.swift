import Testing

/// All tests, one after the other: there is one phone, one Mac.
@Suite(.serialized) struct OnSimulatedApple {}
