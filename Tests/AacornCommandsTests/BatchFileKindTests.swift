import AacornContainers
import AacornRecording
import AacornSystem
import Foundation
import Testing

@testable import AacornCommands

/// Every path of a batch with every kind of file.
///
/// Writing to a pipe, or reading a device, would block a worker forever.
@Suite struct BatchFileKindTests {
  enum Path: CaseIterable { case input, output, cover, effects, ledger }

  enum Kind: CaseIterable {
    case pipe, device, socket, folder, linkToPipe, linkToDevice, danglingLink
  }

  private let folder = TemporaryFolder()

  init() throws {
    for name in ["a.wav", "b.wav"] { try folder.write(wavFile(frames: 2000), to: name) }
  }

  /// Creates a file of a kind, and returns its path.
  private func make(_ kind: Kind, _ name: String) throws -> String {
    switch kind {
    case .pipe: folder.makePipe(name)
    case .device: return "/dev/zero"
    case .socket: try makeSocket(name)
    case .folder: try System.makeFolder(folder.path(name))
    case .linkToPipe:
      folder.makePipe("pipe")
      folder.link(name, to: "pipe")
    case .linkToDevice: folder.link(name, to: "/dev/zero")
    case .danglingLink: folder.link(name, to: "missing")
    }
    return folder.path(name)
  }

  private func makeSocket(_ name: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(folder.path(name).utf8)
    try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
    close(descriptor)
  }

  @Test(arguments: Path.allCases, Kind.allCases)
  func otherFilesAreRefused(path: Path, kind: Kind) throws {
    let file = try make(kind, "x")
    let names = folder.names
    let devices = try System.names(inFolder: "/dev")
    var members = ["input": folder.path("a.wav"), "output": folder.path("a.m4a")]
    var options = ["--trust-manifest", "-j", "1", "--retries", "0"]
    switch path {
    case .input: members["input"] = file
    case .output: members["output"] = file
    case .cover: members["cover"] = file
    case .effects: members["effects"] = "@" + file
    case .ledger: options += ["--ledger", file]
    }
    let object = JSONValue.object(members.map { JSONValue.Member($0.key, .text($0.value)) })
    let manifest = try folder.write(lines: [object.encoded, folder.line("b.wav")])
    let console = CapturedConsole()
    let status = console.run(["batch", manifest] + options)
    #expect(status.code != 0)
    let reasons =
      kind == .danglingLink
      ? ["a symbolic link", "no such file"]
      : ["is not a file", "is a symbolic link", "is a folder"]
    #expect(reasons.contains { console.errors.contains($0) }, "\(console.errors)")
    // The other line is encoded, unless the check of the manifest or of the options fails.
    let isLine = path == .input || path == .output || kind == .danglingLink && path == .cover
    #expect(folder.names.contains("b.m4a") == isLine)
    #expect(!folder.names.contains { $0.hasPrefix(".aacorn-") } && !folder.names.contains("a.m4a"))
    #expect(Set(folder.names).isSuperset(of: names))
    #expect(try System.names(inFolder: "/dev").allSatisfy { !$0.hasPrefix(".aacorn-") })
    #expect(try System.names(inFolder: "/dev").count == devices.count)
  }
}
