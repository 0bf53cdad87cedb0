import Testing

/// Runs the tests of one simulated system; Scripts/check-apple-runs makes it.
@main struct Runner {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}

/// All tests, one after the other: there is one phone, one Mac.
@Suite(.serialized) struct OnSimulatedApple {}
