// swift-tools-version: 6.3
import PackageDescription

/// Programs of people who use the package: one takes all of it, one the codec alone.
let package = Package(
  name: "Clients",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "aacorn", path: "../..")],
  targets: [
    .executableTarget(
      name: "everything", dependencies: [.product(name: "Aacorn", package: "aacorn")]),
    .executableTarget(
      name: "codec-alone", dependencies: [.product(name: "AacornCodec", package: "aacorn")]),
  ]
)
