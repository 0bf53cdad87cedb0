import AacornContainers
import AacornNetwork
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming

/// HLS uploads to a web server.
@Suite(.simulated(seeds: 3)) struct HLSUploadStoreTests {
  /// A thread-safe counter.
  final class Counter: Sendable {
    private let value = Lock(0)
    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }

  static func contents(of folder: HLSFolderStoreTests.Folder) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in folder.names {
      contents[name] = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")))
    }
    return contents
  }

  @Test(
    arguments: [HLSConfiguration.Kind.event, .vod], HLSConfiguration.Media.allCases)
  func theServerGetsWhatAFolderGets(
    kind: HLSConfiguration.Kind, media: HLSConfiguration.Media
  ) throws {
    let folder = try HLSFolderStoreTests.Folder()
    var upload = try HLSUploadBench(UploadServer())
    upload.bench.configuration.kind = kind
    upload.bench.configuration.media = media
    upload.bench.renditionCount = 2
    var output = try upload.makeOutput(besides: folder.path)
    try upload.bench.record(48_000 * 30, into: &output)
    #expect(try upload.finish(&output) == [])
    #expect(try upload.server.files == Self.contents(of: folder))
    #expect(upload.server.text("stream-0.m3u8").hasSuffix("#EXT-X-ENDLIST\n"))
    #expect(HLSUploadBench.faults(in: upload.server.requests) == [])
    #expect(upload.states == [.connecting, .live, .stopped])
    #expect(upload.server.connectionCount == 1)
    let segments = upload.server.files.keys.filter { $0.hasSuffix(".aac") || $0.hasSuffix(".m4s") }
    #expect(segments.count == 16 && upload.store.status.sentSegmentCount == 16)
    #expect(upload.store.status.queuedDuration == .zero)
    let segment = try #require(
      upload.server.requests.first { segments.contains($0.name) && $0.name.hasPrefix("stream-0") })
    #expect(segment.target == "/live/" + segment.name)
    #expect(
      segment.headers["content-type"] == (media == .packedAudio ? "audio/aac" : "audio/mp4"))
    #expect(segment.headers["cache-control"] == "public, max-age=31536000, immutable")
    #expect(segment.headers["authorization"] == nil)
    let playlist = try #require(upload.server.requests.first { $0.name == "stream-0.m3u8" })
    #expect(playlist.headers["content-type"] == "application/vnd.apple.mpegurl")
    #expect(playlist.headers["cache-control"] == "max-age=2")
  }

  /// Records 20 pieces of 3 s.
  ///
  /// Each is uploaded before the next one, so the queue drops nothing.
  private func recordInPieces(_ upload: HLSUploadBench, into output: inout HLSOutput) throws {
    for index in 0..<20 {
      try upload.bench.record(48_000 * 3, into: &output, index: index, at: 48_000 * 3 * index)
      #expect(eventually { upload.store.work.isComplete })
    }
  }

  @Test func oldFilesAreRemovedAsInAFolder() throws {
    let folder = try HLSFolderStoreTests.Folder()
    let upload = try HLSUploadBench(UploadServer()) { configuration, _ in
      configuration.removesOldFiles = true
    }
    var output = try upload.makeOutput(besides: folder.path)
    try recordInPieces(upload, into: &output)
    #expect(try upload.finish(&output) == [])
    #expect(try upload.server.files == Self.contents(of: folder))
    #expect(upload.server.requests.contains { $0.method == "DELETE" })
    #expect(HLSUploadBench.faults(in: upload.server.requests) == [])
  }

  @Test func withoutTheOptionNothingIsRemoved() throws {
    let upload = try HLSUploadBench(UploadServer())
    var output = try upload.makeOutput()
    try recordInPieces(upload, into: &output)
    #expect(try upload.finish(&output) == [])
    #expect(upload.server.requests.allSatisfy { $0.method == "PUT" })
    #expect(upload.server.files.keys.count { $0.hasSuffix(".m4s") } == 20)
  }

  @Test(arguments: [500, 503, 429, 408])
  func aFaultOfTheServerIsTriedAgain(status: Int) throws {
    let counter = Counter()
    let upload = try HLSUploadBench(
      UploadServer { _ in [2, 3, 7].contains(counter.next()) ? .refuse(status, "busy") : .take })
    try complete(upload)
    #expect(upload.retryCount == 3)
    #expect(upload.store.status.reconnectCount == 2)
    // These statuses keep the connection open.
    #expect(upload.server.connectionCount == 1)
  }

  /// The server accepts segments, but no playlist, so no player can play the stream.
  @Test func uploadBecomesLiveOnlyWithAPlaylist() throws {
    let takesPlaylists = Lock(false)
    let upload = try HLSUploadBench(
      UploadServer { request in
        let isRefused = request.name.hasSuffix(".m3u8") && !takesPlaylists.withLock(\.self)
        return isRefused ? .refuse(500, "") : .take
      })
    var output = try upload.makeOutput()
    try upload.bench.record(48_000 * 20, into: &output)
    #expect(eventually { upload.retryCount > 0 })
    let count = upload.store.status.sentSegmentCount
    // Once the confirmed segments have left the playlist, the next ones precede it.
    try upload.bench.record(48_000 * 60, into: &output, index: 1, at: 48_000 * 20)
    #expect(eventually { upload.store.status.sentSegmentCount > count })
    #expect(!upload.states.contains(.live))
    #expect(upload.store.status.reconnectCount == 0)
    takesPlaylists.withLock { $0 = true }
    #expect(eventually { upload.states.last == .live })
    #expect(upload.store.status.reconnectCount == 1)
    #expect(try upload.finish(&output) == [])
  }

  @Test func aConnectionThatIsCutInTheMiddleIsMadeAgain() throws {
    let counter = Counter()
    // The third request retries the same file over a new connection.
    let upload = try HLSUploadBench(
      UploadServer { _ in [2, 3].contains(counter.next()) ? .cut : .take })
    try complete(upload)
    #expect(upload.retryCount == 1)
    #expect(upload.server.connectionCount == 3)
  }

  @Test func aRestingConnectionMayBeClosed() throws {
    let upload = try HLSUploadBench(UploadServer { _ in .takeAndClose })
    try complete(upload)
    #expect(upload.retryCount == 0)
    #expect(upload.server.connectionCount == upload.server.requests.count)
  }

  /// Uploads an event despite the faults, and expects all files on the server.
  private func complete(_ upload: HLSUploadBench) throws {
    let folder = try HLSFolderStoreTests.Folder()
    var upload = upload
    upload.bench.configuration.kind = .event
    var output = try upload.makeOutput(besides: folder.path)
    try upload.bench.record(48_000 * 20, into: &output)
    #expect(try upload.finish(&output) == [])
    #expect(try upload.server.files == Self.contents(of: folder))
    #expect(upload.states.last == .stopped)
    #expect(upload.store.status.droppedSegmentCount == 0)
  }

  @Test(arguments: [UploadServer.Treatment.refuse(503, ""), .ignore])
  func segmentsExpiredDuringOutageAreCounted(_ treatment: UploadServer.Treatment) throws {
    let isServerDown = Lock(true)
    let upload = try HLSUploadBench(
      UploadServer { _ in isServerDown.withLock(\.self) ? treatment : .take }
    ) { configuration, _ in configuration.answerTimeout = .milliseconds(100) }
    var output = try upload.makeOutput()
    // The output does not wait: it records all of this before the server confirms anything.
    try upload.bench.record(48_000 * 58, into: &output)
    #expect(eventually { upload.retryCount > 0 })
    let status = upload.store.status
    #expect(status.sentSegmentCount == 0)
    #expect(status.queuedSegmentCount == 6)
    #expect(status.queuedDuration == .seconds(24))
    #expect(status.droppedSegmentCount == 9)
    isServerDown.withLock { $0 = false }
    #expect(eventually { upload.store.status.sentSegmentCount == 6 })
    // The drops are not reported as losses of the recording, like frames that a live server missed.
    #expect(try upload.finish(&output) == [])
    #expect(upload.store.status.droppedSegmentCount == 9 && upload.states.last == .stopped)
    let playlist = HLSPlaylistText(upload.server.text("stream-0.m3u8"))
    #expect(playlist.isEnded && playlist.segments.count == 6)
    #expect(!playlist.segments.contains { $0.isGap || $0.isDiscontinuous })
    #expect(HLSUploadBench.faults(in: upload.server.requests) == [])
  }

  /// Returns the error of an output whose server rejects it during the recording or before the end.
  private static func failure(of upload: HLSUploadBench) throws -> OutputError? {
    var output = try upload.makeOutput()
    return failure(of: &output, to: upload)
  }

  private static func failure(
    of output: inout HLSOutput, to upload: HLSUploadBench, index: Int = 0, at position: Int = 0
  ) -> OutputError? {
    do {
      try upload.bench.record(48_000 * 20, into: &output, index: index, at: position)
      // A poll also reports the error, without a new segment.
      #expect(eventually { (try? upload.store.poll(isLast: false)) == nil })
      _ = try upload.finish(&output)
      return nil
    } catch { return error as? OutputError }
  }

  @Test(arguments: [
    (401, "requires a user name and a password"), (403, "must allow PUT there"),
    (404, "create that folder"), (409, "create that folder"), (405, "must allow PUT there"),
    (413, "client_max_body_size"), (302, "redirects to another address"),
  ])
  func permanentRejectionEndsOutputWithMessage(status: Int, words: String) throws {
    for treatment in [UploadServer.Treatment.refuse(status, "<b>never</b>"), .refuseEarly(status)] {
      let upload = try HLSUploadBench(UploadServer { _ in treatment })
      let error = try Self.failure(of: upload)
      #expect(error?.kind == .connection)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(upload.retryCount == 0)
      #expect(upload.server.connectionCount == 1)
      #expect(throws: OutputError.self) { try upload.store.put([1], as: "a.m4s") }
      #expect(upload.store.status.queuedSegmentCount == 0)
    }
  }

  @Test(arguments: [(403, 5), (401, 3), (413, 2), (503, 5)])
  func rejectionAfterSuccessIsRetried(status: Int, times: Int) throws {
    let counter = Counter()
    let upload = try HLSUploadBench(
      UploadServer { request in
        request.name.hasSuffix("-2.m4s") && counter.next() <= times
          ? .refuse(status, "not now") : .take
      })
    try complete(upload)
    #expect(upload.retryCount == times)
  }

  @Test(arguments: [".m4s", ".m3u8"])
  func rejectionOfOneFileKindEndsOutput(ending: String) throws {
    let upload = try HLSUploadBench(
      UploadServer { $0.name.hasSuffix(ending) ? .refuse(413, "") : .take })
    let error = try Self.failure(of: upload)
    #expect(error?.message.contains("client_max_body_size") == true)
    #expect(upload.retryCount == 0)
  }

  @Test(arguments: [400, 413, 414, 415, 422])
  func aSegmentThatIsNeverTakenIsLeftOut(status: Int) throws {
    var upload = try HLSUploadBench(
      UploadServer { $0.name.hasSuffix("-2.m4s") ? .refuse(status, "") : .take })
    upload.bench.configuration.kind = .event
    var output = try upload.makeOutput()
    try upload.bench.record(48_000 * 18, into: &output)
    #expect(try upload.finish(&output) == [])
    let reasons = upload.states.compactMap { state in
      if case .reconnecting(let error, _) = state { error.message } else { nil }
    }
    #expect(reasons.count == 2)
    #expect(reasons.allSatisfy { $0.contains("(status \(status))") }, "\(reasons)")
    #expect(upload.server.requests.count { $0.name.hasSuffix("-2.m4s") } == 3)
    #expect(upload.store.status.droppedSegmentCount == 1)
    let playlist = HLSPlaylistText(upload.server.text("stream-0.m3u8"))
    #expect(playlist.isEnded && playlist.segments.count == 5)
    #expect(playlist.segments.enumerated().allSatisfy { $1.isGap == ($0 == 2) })
    #expect(upload.states.last == .stopped)
  }

  @Test func uploadStopsAtAttemptLimit() throws {
    let upload = try HLSUploadBench(UploadServer { _ in .refuse(500, "") }) { _, options in
      options.attemptLimit = 2
    }
    let error = try Self.failure(of: upload)
    #expect(error?.message.hasSuffix("Gave up after 2 attempts to reconnect.") == true)
    #expect(upload.retryCount == 2)
  }

  /// The server always rejects one segment, and more segments wait when the output fails.
  @Test func failureMessageCountsAllMissingSegments() throws {
    let isServerDown = Lock(false)
    var upload = try HLSUploadBench(
      UploadServer { request in
        if request.name.hasSuffix("-1.m4s") { return .refuse(413, "") }
        let isRefused = isServerDown.withLock(\.self) && request.name.hasSuffix(".m4s")
        return isRefused ? .refuse(500, "") : .take
      }
    ) { _, options in options.attemptLimit = 2 }
    upload.bench.configuration.kind = .event
    var output = try upload.makeOutput()
    try upload.bench.record(48_000 * 9, into: &output)
    #expect(eventually { upload.store.work.isComplete })
    #expect(upload.store.status.droppedSegmentCount == 1)
    isServerDown.withLock { $0 = true }
    let error = Self.failure(of: &output, to: upload, index: 1, at: 48_000 * 9)
    #expect(error?.message.contains("attempts to reconnect.") == true)
    let count = upload.store.status.droppedSegmentCount
    let words = ". \(count) segments are missing there."
    #expect(count > 1 && error?.message.hasSuffix(words) == true, "\(error?.message ?? "")")
  }

  @Test func emptyUploadSucceeds() throws {
    let upload = try HLSUploadBench(UploadServer())
    var output = try upload.makeOutput()
    #expect(try upload.finish(&output) == [])
    #expect(upload.server.connectionCount == 0)
  }

  /// One secret per run, because a text with several secrets could be hidden because of another
  /// one.
  @Test(arguments: [
    "hush!hush", "hush%21hush", Base64.encode(Array("anna:hush!hush".utf8)), "abc def", "abc%20def",
    "Zm9v==", "u=1&key=abc%20def&sig=Zm9v==",
  ])
  func noSecretIsQuoted(secret: String) throws {
    let upload = try HLSUploadBench(
      UploadServer { _ in .refuse(403, "no \(secret) here") },
      path: "/live/?u=1&key=abc%20def&sig=Zm9v=="
    ) { configuration, _ in
      configuration.user = "anna"
      configuration.password = "hush!hush"
    }
    let message = try Self.failure(of: upload)?.message ?? ""
    #expect(message.contains("does not allow uploads. "))
    for text in [message, upload.store.name, "\(upload.states)"] {
      for secret in [secret, "hush", "anna", "key="] { #expect(!text.contains(secret), "\(text)") }
    }
    let request = try #require(upload.server.requests.first)
    let credentials = Base64.encode(Array("anna:hush!hush".utf8))
    #expect(request.headers["authorization"] == "Basic " + credentials)
    #expect(request.target.hasSuffix(".mp4?u=1&key=abc%20def&sig=Zm9v=="))
  }

  @Test(arguments: [(405, 1, "must allow DELETE"), (500, 3, "internal error")])
  func aServerThatRemovesNothingKeepsTheStream(status: Int, count: Int, words: String) throws {
    let upload = try HLSUploadBench(
      UploadServer { $0.method == "DELETE" ? .refuse(status, "") : .take }
    ) { configuration, options in
      configuration.removesOldFiles = true
      options.attemptLimit = 0
    }
    var output = try upload.makeOutput()
    try recordInPieces(upload, into: &output)
    #expect(try upload.finish(&output) == [])
    #expect(upload.server.requests.count { $0.method == "DELETE" } == count)
    #expect(upload.store.status.removalError?.message.contains(words) == true)
    #expect(upload.states == [.connecting, .live, .stopped])
  }

  @Test func aRemovalThatBreaksTheConnectionIsTriedAgain() throws {
    let counter = Counter()
    let upload = try HLSUploadBench(
      // The first attempt uses the idle connection, the second a new one.
      UploadServer { $0.method == "DELETE" && counter.next() <= 2 ? .cut : .take }
    ) { configuration, options in
      configuration.removesOldFiles = true
      options.attemptLimit = 0
    }
    var output = try upload.makeOutput()
    try recordInPieces(upload, into: &output)
    #expect(try upload.finish(&output) == [])
    #expect(upload.server.connectionCount == 3)
    #expect(upload.server.requests.contains { $0.method == "DELETE" })
    #expect(upload.store.status.removalError == nil)
    #expect(upload.states == [.connecting, .live, .stopped])
  }
}
