// swift-tools-version: 6.2
import PackageDescription

/// Targets that carry the codec into browsers: no Foundation, no libm, no existential.
let embeddable = ["AACFormat", "AACCodec", "AACContainers", "AACInspection", "PCM"]

/// Older C libraries keep `dlopen` in a library of its own.
let dynamicLoading: [LinkerSetting] = [.linkedLibrary("dl", .when(platforms: [.linux]))]

let package = Package(
  name: "aacorn",
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "Aacorn", targets: ["Aacorn"]),
    .executable(name: "aacorn", targets: ["aacorn-cli"]),
  ],
  targets: [
    .target(name: "PCM"),
    .target(name: "AACFormat"),
    .target(
      name: "AACCodec", dependencies: ["AACFormat"], exclude: ["Tables/JSON"],
      // Square roots may call the C library's, which nothing else brings in on Linux.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "AACContainers", dependencies: ["AACFormat", "PCM"]),
    .target(name: "AACInspection", dependencies: ["AACFormat", "AACCodec", "AACContainers"]),
    .target(name: "Platform"),
    // What the system libraries look like from C, and how they are found at run time.
    .target(name: "CPulseAudio", linkerSettings: dynamicLoading),
    .target(name: "CALSA", linkerSettings: dynamicLoading),
    .target(name: "CPipeWire", linkerSettings: dynamicLoading),
    .target(
      name: "AudioCapture",
      dependencies: [
        "PCM", "Platform",
        .target(name: "CPulseAudio", condition: .when(platforms: [.linux])),
        .target(name: "CALSA", condition: .when(platforms: [.linux])),
        .target(name: "CPipeWire", condition: .when(platforms: [.linux])),
      ]),
    .target(
      name: "Recording",
      dependencies: [
        "PCM", "Platform", "AACFormat", "AACCodec", "AACContainers", "AACInspection",
        "AudioCapture",
      ]),
    .target(name: "CCurl", linkerSettings: dynamicLoading),
    .target(name: "CMicroHTTPD", linkerSettings: dynamicLoading),
    .target(
      name: "Streaming",
      dependencies: [
        "Platform", "AACFormat", "AACContainers", "Recording", "CCurl", "CMicroHTTPD",
      ]),
    // The files of the page, as bytes inside the program.
    .target(name: "StudioPage", exclude: ["Public"]),
    .target(
      name: "Studio",
      dependencies: [
        "PCM", "Platform", "AACFormat", "AACCodec", "AACContainers", "AACInspection",
        "AudioCapture", "Recording", "Streaming", "StudioPage",
      ]),
    .target(
      name: "AacornCommands",
      dependencies: [
        "PCM", "Platform", "AACFormat", "AACCodec", "AACContainers", "AACInspection",
        "AudioCapture", "Recording", "Streaming", "Studio",
      ]),
    .executableTarget(name: "aacorn-cli", dependencies: ["AacornCommands"]),
    .target(
      name: "Aacorn",
      dependencies: [
        "PCM", "AACFormat", "AACCodec", "AACContainers", "AACInspection", "AudioCapture",
        "Recording", "Streaming", "Studio",
      ]),
    .testTarget(name: "PCMTests", dependencies: ["PCM"]),
    .testTarget(
      name: "AACFormatTests", dependencies: ["AACFormat"], resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AACCodecTests", dependencies: ["AACFormat", "AACCodec"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AACContainersTests", dependencies: ["PCM", "AACFormat", "AACContainers"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AACInspectionTests",
      dependencies: ["AACFormat", "AACCodec", "AACContainers", "AACInspection"],
      resources: [.copy("Damaged")]),
    // Sound servers without a sound card, for the tests below.
    .target(name: "SoundRigs", dependencies: ["Platform"], path: "Tests/SoundRigs"),
    .testTarget(
      name: "AudioCaptureTests",
      dependencies: [
        "SoundRigs", "AudioCapture", "PCM", "Platform", "CPulseAudio", "CALSA", "CPipeWire",
      ]),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "SoundRigs", "Recording", "AudioCapture", "PCM", "Platform", "AACFormat", "AACCodec",
        "AACContainers",
        "AACInspection",
      ]),
    // Streaming servers, and what goes wrong between them and us, for the tests below.
    .target(
      name: "StreamRigs", dependencies: ["SoundRigs", "Platform"], path: "Tests/StreamRigs"),
    .testTarget(
      name: "StreamingTests",
      dependencies: [
        "SoundRigs", "StreamRigs", "Streaming", "Recording", "AudioCapture", "Platform",
        "AACFormat", "AACCodec", "AACContainers", "AACInspection", "CCurl", "CMicroHTTPD",
      ]),
    .testTarget(
      name: "StudioTests",
      dependencies: [
        "SoundRigs", "StreamRigs", "Studio", "Streaming", "Recording", "AudioCapture",
        "Platform", "PCM", "AACFormat", "AACCodec", "AACContainers", "AACInspection",
        "StudioPage",
      ]),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "SoundRigs", "StreamRigs", "AacornCommands", "AACFormat", "AACCodec", "AACContainers",
        "AACInspection", "PCM", "Platform", "AudioCapture", "Recording", "Streaming",
      ], path: "Tests/Integration", exclude: ["Sound"]),
    .testTarget(
      name: "AacornCommandsTests",
      dependencies: [
        "SoundRigs", "AacornCommands", "PCM", "Platform", "AACFormat", "AACCodec", "AACContainers",
        "AACInspection", "AudioCapture", "Recording", "Streaming", "Studio",
      ]),
  ]
)

// A build with a sanitizer is a build of its own, and may leave out what it does not test.
if let tests = Context.environment["AACORN_TESTS"]?.split(separator: " ").map(String.init) {
  package.products.removeAll { $0.name == "aacorn" }
  package.targets.removeAll { target in
    ["aacorn-cli", "AacornCommands"].contains(target.name)
      || target.isTest && !tests.contains(target.name)
  }
}

for target in package.targets {
  var settings: [SwiftSetting] = target.swiftSettings ?? []
  settings += [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ]
  if embeddable.contains(target.name) {
    settings.append(.treatWarning("EmbeddedRestrictions", as: .error))
  }
  target.swiftSettings = settings
}
