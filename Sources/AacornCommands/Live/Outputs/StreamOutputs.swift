import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// The outputs of a recording or a stream, and the HLS server that one of them needs.
struct StreamOutputs {
  /// The outputs in the order of the plan.
  private(set) var all: [any PacketOutput] = []
  /// The HLS server and its store.
  private var server: HTTPServer?
  private var memoryStore: HLSMemoryStore?
  private let plan: LivePlan
  private let list: OutputList
  /// The common bitrate, if it adapts to the network.
  private let bitrate: AdaptiveBitrate?
  private let interruption: Interruption
  private let display: LiveDisplay

  init(
    _ plan: LivePlan, on list: OutputList, bitrate: AdaptiveBitrate?,
    _ interruption: Interruption, _ display: LiveDisplay
  ) {
    self.interruption = interruption
    self.display = display
    self.plan = plan
    self.list = list
    self.bitrate = bitrate
    if let recording = plan.recording { all = [fileOutput(recording)] }
    for output in plan.outputs { add(output) }
  }

  /// Returns the wait for HLS listeners, for use between the end of all outputs and `close`.
  func makeDrain() -> HLSDrain? { memoryStore.map { HLSDrain($0) } }

  func close() { server?.stop() }

  private mutating func add(_ output: LivePlan.Output) {
    switch output {
    case .server(let server):
      let output = list.connect(
        to: server, plan.liveOptions, metadata: plan.metadata, bitrate: bitrate)
      all.append(chosen(output, server.kind))
    case .hls(let hls): add(hls)
    case .save(let file): add(fileOutput(file), .save)
    }
  }

  private func fileOutput(_ file: LivePlan.File) -> FileOutput {
    var options = file.options
    options.isCancelled = { [interruption] in interruption.signal != nil }
    return FileOutput(file.path, file.format, options: options)
  }

  private mutating func add(_ output: any PacketOutput, _ kind: OutputStatus.Kind) {
    all.append(chosen(WatchedOutput(output, list.add(kind, name: output.name), on: list), kind))
  }

  /// Returns the output, restricted to the rendition selected for its kind.
  private func chosen(_ output: any PacketOutput, _ kind: OutputStatus.Kind) -> any PacketOutput {
    let rendition = plan.rendition(for: kind)
    return rendition == 0 ? output : RenditionOutput(output, rendition: rendition)
  }

  // Each store has its own output: a full disk must not affect the server's listeners.
  private mutating func add(_ hls: LivePlan.HLS) {
    for folder in hls.folders { add(HLSFolderStore(folder), hls, name: folder) }
    for server in hls.uploads {
      all.append(
        list.upload(
          to: server, hls.configuration, plan.liveOptions,
          renditionCount: plan.configuration.codings.count))
    }
    guard let address = hls.address else { return }
    do throws(NetworkError) {
      let store = HLSMemoryStore()
      let handler = HLSHandler(
        store, playlistName: hls.configuration.name + ".m3u8", title: hls.title)
      let server = try HTTPServer(address: address.address, port: address.port) {
        request, responder in handler.handle(request, responder)
      }
      self.server = server
      memoryStore = store
      add(store, hls, name: server.url + "/")
      display.enqueue(.listening(.hls, url: "\(server.url)/\(hls.configuration.name).m3u8"))
    } catch {
      let name = "http://" + address.authority(port: address.port)
      add(UnavailableOutput(name: name, reason: OutputError(.connection, error.message)), .hls)
    }
  }

  private mutating func add(_ store: any HLSStore, _ hls: LivePlan.HLS, name: String) {
    let output = HLSOutput(hls.configuration, stores: [store], name: name)
    all.append(WatchedOutput(output, list.add(.hls, name: name), on: list))
  }
}

/// An output that could not be created.
struct UnavailableOutput: PacketOutput {
  let name: String
  let reason: OutputError

  var byteCount: Int { 0 }
  mutating func open() throws(OutputError) { throw reason }
  mutating func begin(_ segment: SegmentStart) throws(OutputError) { throw reason }
  mutating func write(_ packet: EncodedPacket) throws(OutputError) { throw reason }
  mutating func record(_ gap: RecordingGap) throws(OutputError) {}
  mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nil }
  mutating func abandon() -> OutputSummary? { nil }
}

/// The wait for HLS listeners after the end of a stream, during which the server still runs.
///
/// Each listener should receive the last segments and a playlist with `EXT-X-ENDLIST`. The wait
/// ends when every listener has received this playlist and no request has arrived for a target
/// duration. A listener that has just disconnected never requests the playlist, so the wait is
/// limited to four target durations.
struct HLSDrain {
  private let store: HLSMemoryStore
  private let start = System.nanoseconds

  /// Starts the wait, after the end of a presentation.
  init(_ store: HLSMemoryStore) {
    self.store = store
  }

  /// The number of listeners for which the wait continues.
  ///
  /// Listeners without a request in the last two target durations before the end do not count.
  var listenerCount: Int {
    let target = store.targetDuration
    let elapsed = Duration.nanoseconds(System.nanoseconds - start)
    if elapsed >= target * 4 { return 0 }
    let (count, finishedCount) = store.listeners(within: target * 2 + elapsed)
    let isQuiet = store.listeners(within: target).count == 0
    return finishedCount == count && isQuiet ? 0 : count
  }
}
