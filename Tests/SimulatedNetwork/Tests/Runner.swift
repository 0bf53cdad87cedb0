import Testing

/// Runs the tests of this module.
@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
