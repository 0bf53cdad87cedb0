import Platform
import Recording
import Streaming

/// Makes the outputs of a stream, and keeps the servers that some of them need.
struct StreamOutputs {
  /// The outputs in the order of the plan.
  private(set) var all: [any PacketOutput] = []
  private var servers: [HTTPServer] = []
  private let plan: StreamPlan
  private let board: StreamBoard
  private let events: @Sendable (StreamEvent) -> Void

  init(
    _ plan: StreamPlan, on board: StreamBoard, events: @escaping @Sendable (StreamEvent) -> Void
  ) {
    self.plan = plan
    self.board = board
    self.events = events
    for output in plan.outputs { add(output) }
  }

  /// Ends the servers.
  func close() {
    for server in servers { server.stop() }
  }

  private mutating func add(_ output: StreamPlan.Output) {
    switch output {
    case .icecast(let configuration): add(IcecastService(configuration), .icecast)
    case .rtmp(let configuration): add(RTMPService(configuration), .rtmp)
    case .hls(let hls): add(hls)
    case .save(let path, let format, let options):
      add(FileOutput(path, format, options), .save)
    }
  }

  private mutating func add(_ service: any LiveService, _ kind: StreamSnapshot.Kind) {
    let index = board.add(kind, name: service.name)
    let board = board
    let output = LiveOutput(
      service, plan.liveOptions, metadata: plan.metadata,
      states: { (state: LiveState) in board.change(index, to: state) })
    board.connect(index, to: output.connection)
    all.append(WatchedOutput(output, index, on: board, isConnected: true))
  }

  private mutating func add(_ output: any PacketOutput, _ kind: StreamSnapshot.Kind) {
    all.append(WatchedOutput(output, board.add(kind, name: output.name), on: board))
  }

  private mutating func add(_ hls: StreamPlan.HLS) {
    var stores: [any HLSStore] = hls.folders.map { HLSFolderStore($0) }
    var names = hls.folders
    if let address = hls.address {
      let store = HLSMemoryStore()
      do throws(StreamingError) {
        let handler = HLSHandler(
          store, playlistName: hls.configuration.name + ".m3u8", title: hls.title)
        let server = try HTTPServer(address: address.address, port: address.port) {
          request, responder in handler.handle(request, responder)
        }
        servers.append(server)
        stores.append(store)
        names.append(server.url + "/")
        events(.listening(.hls, url: "\(server.url)/\(hls.configuration.name).m3u8"))
      } catch {
        let name = "http://" + address.authority(port: address.port)
        add(UnavailableOutput(name: name, reason: OutputError(.connection, error.sentence)), .hls)
        // A folder does not need the server.
        if hls.folders.isEmpty { return }
      }
    }
    let index = board.add(.hls, name: names.joined(separator: ", "))
    let counter = SegmentCounter(
      index, on: board, renditionCount: 1 + plan.configuration.furtherCodings.count)
    let output = HLSOutput(
      hls.configuration, stores: stores + [counter], name: names.joined(separator: ", "))
    all.append(WatchedOutput(output, index, on: board))
  }
}

/// Keeps nothing of HLS and counts the segments.
private final class SegmentCounter: HLSStore {
  private let index: Int
  private let board: StreamBoard
  private let renditionCount: Int
  private let count = Lock(0)

  init(_ index: Int, on board: StreamBoard, renditionCount: Int) {
    self.index = index
    self.board = board
    self.renditionCount = renditionCount
    board.setSegmentCount(index, 0)
  }

  var servesParts: Bool { false }

  func put(_ bytes: [UInt8], as name: String) {
    // An initialisation section is none.
    if name.hasSuffix(".mp4") { return }
    let count = count.withLock { count in
      count += 1
      return count
    }
    board.setSegmentCount(index, count / renditionCount)
  }

  func publish(_ playlist: String, as name: String, edge: HLSEdge) {}
  func remove(_ name: String) {}
}
