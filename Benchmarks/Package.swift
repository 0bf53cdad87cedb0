// swift-tools-version: 6.3
import PackageDescription

/// Measurements of the encoder.
///
/// A separate package, so that packages that depend on Aacorn do not build it.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "aacorn", path: "..")],
  targets: [
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "bench",
      dependencies: ["AllocationCounter", .product(name: "Aacorn", package: "aacorn")],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ]
)
