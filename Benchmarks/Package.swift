// swift-tools-version: 6.3
import PackageDescription

/// Measurements of the encoder, a package of its own so that nobody who uses Aacorn builds them.
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
