import Testing

/// The entry point of a program of tests that Scripts/compile links.
@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
