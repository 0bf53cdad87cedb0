import AacornNetwork
import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming

/// An output that uploads to the test's own server, and its reported states.
struct HLSUploadBench {
  let server: UploadServer
  let store: HLSUploadStore
  var bench = HLSBench()
  private let reportedStates: Lock<[LiveState]>

  /// The reported states, in order.
  var states: [LiveState] { reportedStates.withLock { $0 } }

  /// The number of failures after which the output retried.
  var retryCount: Int {
    states.count { if case .reconnecting = $0 { true } else { false } }
  }

  init(
    _ server: UploadServer, path: String = "/live/",
    change: (inout HLSUploadConfiguration, inout LiveOptions) -> Void = { _, _ in }
  ) throws {
    self.server = server
    var configuration = try HLSUploadConfiguration(
      address: "http://127.0.0.1:\(server.port)\(path)")
    configuration.drainTimeout = .seconds(Int(TestTimeout.seconds))
    configuration.drainLimit = .seconds(Int(TestTimeout.seconds))
    var options = LiveOptions()
    options.initialReconnectDelay = .milliseconds(1)
    options.maxReconnectDelay = .milliseconds(5)
    change(&configuration, &options)
    let reportedStates = Lock<[LiveState]>([])
    self.reportedStates = reportedStates
    store = HLSUploadStore(
      configuration, options, states: { state in reportedStates.withLock { $0.append(state) } })
  }

  /// Creates an output to the server, and to a folder if there is one.
  func makeOutput(besides folder: String? = nil) throws -> HLSOutput {
    let stores: [any HLSStore] = folder.map { [HLSFolderStore($0), store] } ?? [store]
    var output = HLSOutput(bench.configuration, stores: stores, name: store.name)
    try output.open()
    return output
  }

  /// Ends an output, and returns the reported losses.
  func finish(_ output: inout HLSOutput) throws -> [OutputIncident] {
    _ = output.abandon()
    return try output.poll()
  }

  /// Returns the errors that a player could have met between requests, such as missing files, in
  /// the order of the requests.
  static func faults(in requests: [UploadServer.Request]) -> [String] {
    var faults: [String] = []
    var there: Set<String> = []
    var listed: [String: Set<String>] = [:]
    var texts: [String: HLSPlaylistText] = [:]
    for request in requests where request.isTaken {
      if request.method == "DELETE" {
        there.remove(request.name)
        for (playlist, names) in listed where names.contains(request.name) {
          faults.append("\(request.name) was removed and is listed in \(playlist)")
        }
        continue
      }
      if request.name.hasSuffix(".m3u8") {
        let text = HLSPlaylistText(request.text)
        faults +=
          text.variants.isEmpty
          ? HLSRules.faults(inMedia: text, after: texts.updateValue(text, forKey: request.name))
          : text.faults
        let gaps = text.segments.filter(\.isGap).compactMap(\.name)
        let names = Set(text.files + text.variants.map(\.uri)).subtracting(gaps)
        for name in names where !there.contains(name) {
          faults.append("\(name) is listed in \(request.name) and not there")
        }
        listed[request.name] = names
      }
      there.insert(request.name)
    }
    return faults
  }
}
