// swift-tools-version: 6.3
import PackageDescription

/// Targets that also run in browsers: no Foundation, no libm, no existentials.
let embeddable = [
  "AacornSignal", "AacornCodec", "AacornSoundFiles", "AacornContainers", "AacornInspection",
]

/// Targets with a privacy manifest for Apple's App Store, which states the reasons for some system
/// calls.
let manifested = ["AacornSystem", "AacornDevices"]

/// The feature for the package's own spans of arrays, which depend on the lifetime of their
/// arguments.
///
/// Apple's standard library has spans of arrays only since system 26.
let ownSpans: [SwiftSetting] = [
  .enableExperimentalFeature(
    "Lifetimes",
    .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]))
]

/// Targets that debug builds optimize, too, since they compute most of the time.
///
/// Without optimization, a program that is debugged could not encode in real time, and the tests
/// would last hours.
let optimized = embeddable + ["TestSignals", "AacornSignalTests", "AacornCodecTests"]

/// Test targets that compile in half the time without optimization, and run only slightly longer.
///
/// The code under test is optimized.
let unoptimized = [
  "AacornContainersTests", "AacornSoundFilesTests", "AacornInspectionTests", "AacornAppleTests",
  "AacornDevicesTests", "AacornRecordingTests", "AacornPlaybackTests", "AacornStreamingTests",
  "AacornStudioTests", "AacornCommandsTests", "IntegrationTests",
]

/// Tests that also run on a Mac; the others need Linux's C library, sound servers or programs.
let portableTests = [
  "CTesting", "TestSignals", "AacornCodecTests", "AacornContainersTests", "AacornSoundFilesTests",
  "AacornInspectionTests", "AacornAppleTests",
]

let package = Package(
  name: "aacorn",
  // The minimum versions for `Duration` and `Clock`; Scripts/check-apple compiles for them.
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    // Link only what you need; `Aacorn` contains everything.
    .library(name: "AacornCodec", targets: embeddable),
    .library(
      name: "AacornRecording",
      targets: ["AacornApple", "AacornDevices", "AacornRecording", "AacornPlayback"]),
    .library(name: "AacornStreaming", targets: ["AacornNetwork", "AacornStreaming"]),
    .library(name: "AacornStudio", targets: ["AacornStudio"]),
    .library(name: "Aacorn", targets: ["Aacorn"]),
    // For C; Scripts/build-c-library builds libaacorn from it.
    .library(name: "aacorn-c", type: .dynamic, targets: ["AacornC"]),
    .executable(name: "aacorn", targets: ["aacorn-cli"]),
  ],
  targets: [
    // Signal and codec.
    .target(name: "AacornSignal", swiftSettings: ownSpans),
    .target(
      name: "AacornCodec", dependencies: ["AacornSignal"], exclude: ["Tables/JSON"],
      // Square roots may call the C library's function, and no other code links libm on Linux.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "AacornSoundFiles", dependencies: ["AacornSignal"]),
    // The parsers of sample files identify files without AAC.
    .target(
      name: "AacornContainers",
      dependencies: ["AacornSignal", "AacornCodec", "AacornSoundFiles"]),
    .target(
      name: "AacornInspection",
      dependencies: ["AacornSignal", "AacornCodec", "AacornContainers", "AacornSoundFiles"]),
    // Timed buffers and the system's encoder; on other systems, only their portable parts.
    .target(
      name: "AacornApple", dependencies: ["AacornSignal", "AacornCodec", "AacornContainers"]),
    // The exports for browsers, compiled here with all other modules.
    .target(
      name: "AacornWasm", dependencies: embeddable.map { .byName(name: $0) },
      exclude: ["WebAssemblyMemory"]),
    // The header for programs in C, with the list of exported symbols, and its functions.
    .target(name: "CAacorn", exclude: ["libaacorn.map"]),
    .target(
      name: "AacornC",
      dependencies: [
        "AacornSignal", "AacornCodec", "AacornContainers", "AacornSoundFiles", "CAacorn",
      ]),

    // The system, and C declarations of libraries that are loaded at run time.
    .target(name: "CAacornAtomics"),
    .target(
      name: "AacornSystem", dependencies: ["CAacornAtomics"],
      // Older C libraries have `dlopen` in a separate library.
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CAacornPulseAudio"),
    .target(name: "CAacornALSA"),
    .target(name: "CAacornPipeWire"),
    .target(name: "CAacornCurl"),
    .target(name: "CAacornSndFile"),
    .target(name: "CAacornSpeexDSP"),

    // Servers, clients and their connections.
    .target(
      name: "AacornNetwork",
      dependencies: [
        "AacornSystem",
        .target(name: "CAacornCurl", condition: .when(platforms: [.linux])),
      ]),

    // From microphones to files, servers and pages.
    .target(
      name: "AacornDevices",
      dependencies: [
        "AacornSignal", "AacornSystem",
        .target(name: "CAacornPulseAudio", condition: .when(platforms: [.linux])),
        .target(name: "CAacornALSA", condition: .when(platforms: [.linux])),
        .target(name: "CAacornPipeWire", condition: .when(platforms: [.linux])),
      ]),
    .target(
      name: "AacornRecording",
      dependencies: [
        "AacornSignal", "AacornSystem", "AacornCodec", "AacornContainers", "AacornSoundFiles",
        "AacornInspection", "AacornApple", "AacornDevices",
        .target(name: "CAacornSndFile", condition: .when(platforms: [.linux])),
        .target(name: "CAacornSpeexDSP", condition: .when(platforms: [.linux])),
      ]),
    // From files to loudspeakers.
    .target(
      name: "AacornPlayback",
      dependencies: [
        "AacornSignal", "AacornSystem", "AacornNetwork", "AacornDevices", "AacornRecording",
      ]),
    .target(
      name: "AacornStreaming",
      dependencies: [
        "AacornSystem", "AacornNetwork", "AacornCodec", "AacornContainers", "AacornRecording",
      ]),
    // The files of the studio's page, as bytes in the program.
    .target(name: "AacornStudioPage", exclude: ["Public"]),
    .target(
      name: "AacornStudio",
      dependencies: [
        "AacornSignal", "AacornSystem", "AacornCodec", "AacornContainers", "AacornSoundFiles",
        "AacornInspection", "AacornDevices", "AacornRecording", "AacornNetwork", "AacornStreaming",
        "AacornStudioPage",
      ]),

    // The command, and everything for `import Aacorn`.
    .target(
      name: "AacornCommands",
      dependencies: [
        "AacornSignal", "AacornSystem", "AacornCodec", "AacornContainers", "AacornSoundFiles",
        "AacornInspection", "AacornDevices", "AacornRecording", "AacornPlayback", "AacornNetwork",
        "AacornStreaming", "AacornStudio",
      ]),
    .executableTarget(name: "aacorn-cli", dependencies: ["AacornCommands"]),
    .target(
      name: "Aacorn",
      dependencies: [
        "AacornSignal", "AacornCodec", "AacornContainers", "AacornSoundFiles", "AacornInspection",
        "AacornApple", "AacornDevices", "AacornRecording", "AacornPlayback", "AacornNetwork",
        "AacornStreaming", "AacornStudio",
      ]),

    // The settings of Swift Testing, for all tests.
    .target(name: "CTesting", path: "Tests/CTesting"),
    // Random numbers, signals and measures of sound, for the tests below.
    .target(name: "TestSignals", path: "Tests/TestSignals"),
    .testTarget(name: "AacornSignalTests", dependencies: ["AacornSignal"]),
    .testTarget(
      name: "AacornCodecTests", dependencies: ["TestSignals", "AacornSignal", "AacornCodec"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AacornContainersTests",
      dependencies: [
        "TestSignals", "AacornSignal", "AacornCodec", "AacornContainers", "AacornSoundFiles",
      ],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AacornSoundFilesTests", dependencies: ["AacornSignal", "AacornSoundFiles"]),
    .testTarget(
      name: "AacornInspectionTests",
      dependencies: [
        "TestSignals", "AacornSignal", "AacornCodec", "AacornSoundFiles", "AacornContainers",
        "AacornInspection",
      ],
      resources: [.copy("Damaged")]),
    .testTarget(
      name: "AacornAppleTests",
      dependencies: [
        "TestSignals", "AacornSignal", "AacornCodec", "AacornContainers", "AacornApple",
      ]),
    // A simulated clock and scheduler, for the tests below.
    .target(name: "CSimulation", path: "Tests/CSimulation"),
    .target(
      name: "Simulation", dependencies: ["TestSignals", "AacornSystem", "CSimulation"],
      path: "Tests/Simulation", exclude: ["README.md"]),
    // Files of AacornSystem and AacornDevices, with another `Atomic`.
    .testTarget(name: "AtomicModelTests", dependencies: ["AacornSystem"]),
    // Sound servers without a sound card, for the tests below.
    .target(name: "SoundRigs", dependencies: ["AacornSystem"], path: "Tests/SoundRigs"),
    // Simulated devices with faults, for the tests below.
    .target(
      name: "DeviceRigs", dependencies: ["AacornDevices", "AacornSignal", "AacornSystem"],
      path: "Tests/DeviceRigs"),
    .testTarget(
      name: "AacornDevicesTests",
      dependencies: [
        "TestSignals", "Simulation", "SoundRigs", "DeviceRigs", "AacornDevices", "AacornSignal",
        "AacornSystem", "CAacornPulseAudio", "CAacornALSA", "CAacornPipeWire",
      ]),
    .testTarget(
      name: "AacornRecordingTests",
      dependencies: [
        "TestSignals", "Simulation", "SoundRigs", "DeviceRigs", "AacornRecording", "AacornDevices",
        "AacornSignal", "AacornSystem",
        "AacornApple", "AacornCodec", "AacornContainers", "AacornSoundFiles", "AacornInspection",
        "CAacornSpeexDSP",
      ]),
    // Streaming servers, and simulated faults of their connections, for the tests below.
    .target(
      name: "StreamRigs", dependencies: ["Simulation", "SoundRigs", "AacornSystem"],
      path: "Tests/StreamRigs"),
    .testTarget(
      name: "AacornPlaybackTests",
      dependencies: [
        "TestSignals", "Simulation", "SoundRigs", "StreamRigs", "AacornPlayback", "AacornRecording",
        "AacornDevices", "AacornNetwork", "AacornSignal", "AacornSystem", "AacornSoundFiles",
      ]),
    .testTarget(
      name: "AacornStreamingTests",
      dependencies: [
        "TestSignals", "Simulation", "SoundRigs", "StreamRigs", "DeviceRigs", "AacornNetwork",
        "AacornStreaming", "AacornRecording", "AacornDevices", "AacornSystem", "AacornCodec",
        "AacornContainers",
      ]),
    .testTarget(
      name: "AacornStudioTests",
      dependencies: [
        "TestSignals", "Simulation", "SoundRigs", "StreamRigs", "DeviceRigs", "AacornStudio",
        "AacornNetwork", "AacornStreaming", "AacornRecording", "AacornDevices", "AacornSystem",
        "AacornSignal", "AacornCodec",
        "AacornContainers", "AacornSoundFiles", "AacornInspection", "AacornStudioPage",
      ]),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "TestSignals", "SoundRigs", "StreamRigs", "DeviceRigs", "AacornCommands", "AacornCodec",
        "AacornContainers", "AacornSoundFiles", "AacornInspection", "AacornSignal", "AacornSystem",
        "AacornDevices",
        "AacornRecording", "AacornNetwork", "AacornStreaming",
      ], path: "Tests/Integration", exclude: ["Sound"]),
    .testTarget(
      name: "AacornCommandsTests",
      dependencies: [
        "TestSignals", "Simulation", "SoundRigs", "AacornCommands", "AacornSignal", "AacornSystem",
        "AacornCodec",
        "AacornContainers", "AacornSoundFiles", "AacornInspection", "AacornDevices",
        "AacornRecording", "AacornPlayback", "AacornNetwork", "AacornStreaming", "AacornStudio",
      ], exclude: ["Transcripts"]),
  ]
)

/// Whether a target contains tests or helpers of tests.
func isForTests(_ target: Target) -> Bool {
  target.isTest || target.path?.hasPrefix("Tests/") == true
}

#if os(macOS)
package.targets.removeAll { isForTests($0) && !portableTests.contains($0.name) }
#endif

for target in package.targets where manifested.contains(target.name) {
  // A resource needs Foundation, which no target except `Aacorn` needs on other systems.
  #if os(macOS)
  target.resources = [.copy("PrivacyInfo.xcprivacy")]
  #else
  target.exclude.append("PrivacyInfo.xcprivacy")
  #endif
}

for target in package.targets {
  var settings: [SwiftSetting] = target.swiftSettings ?? []
  settings += [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  // Tests would compile one sixth slower with this check.
  if !isForTests(target) { settings.append(.strictMemorySafety()) }
  if target.isTest { target.dependencies.append("CTesting") }
  if embeddable.contains(target.name) || target.name == "AacornWasm" {
    settings.append(.treatWarning("EmbeddedRestrictions", as: .error))
  }
  if optimized.contains(target.name) {
    settings.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
  if unoptimized.contains(target.name) {
    settings.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
  target.swiftSettings = settings
}
