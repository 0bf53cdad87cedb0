import AacornContainers
import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

extension RecorderSuites {
  @Suite("Outputs in addition to the file") struct RecorderOutputTests {
    init() { RiggedSystem.reset(["mic"]) }

    private func output(_ kind: String, _ rig: RecorderRig) -> [String: Any] {
      rig.outputs.first { $0["kind"] as? String == kind } ?? [:]
    }

    @Test(.tags(.smoke), .realTime) func icecastReceivesFramesAndPasswordStaysHidden() throws {
      let server = try IcecastServer()
      defer { server.stop() }
      let rig = try RecorderRig([RiggedSystem.self])
      let password = IcecastServer.password
      let address =
        "icecast://source:\(LibraryRig.escaped(password))@127.0.0.1:\(server.port)/live.aac"
      let begun = try rig.post("record", [("output", address), ("title", "Rehearsal")])
      #expect(begun.status == 200, "\(begun.text)")
      #expect(eventually { output("icecast", rig)["state"] as? String == "live" })
      #expect(eventually { output("icecast", rig)["sent"] as? Int ?? 0 > 40 })
      let live = output("icecast", rig)
      #expect(live["name"] as? String == "icecast://127.0.0.1:\(server.port)/live.aac")
      #expect(live["bytes"] as? Int ?? 0 > 1000 && live["dropped"] as? Int == 0)
      #expect(output("file", rig)["state"] as? String == "live")
      let text = try rig.get("/api/state").text
      // Parts of the password “p%C3%A4ss: wörd” as given, decoded and encoded.
      for secret in [password, "wörd", "p%C3", "p\u{e4}ss", LibraryRig.escaped(password)] {
        #expect(!text.contains(secret), "\(secret)")
      }
      #expect(text.contains("icecast:\\/\\/") || text.contains("icecast://127.0.0.1"))
      // When the server disconnects, pages are notified and the file continues.
      server.kill()
      #expect(eventually { output("icecast", rig)["state"] as? String == "reconnecting" })
      let detail = output("icecast", rig)["detail"] as? String ?? ""
      #expect(!detail.isEmpty && !detail.contains("wörd"))
      #expect(rig.messages.contains { $0.contains("Trying again") })
      #expect(try rig.post("stop").status == 200)
      #expect(try movieSeconds(rig.bytes(begun.name)) > 0.8)
    }

    /// A page may make the studio connect to any server, so the studio hides the response from the
    /// page.
    @Test(arguments: [200, 302, 401, 403, 404, 500, 501])
    func nothingThatAServerSaysReachesThePage(status: Int) throws {
      let asked = Lock<[String]>([])
      let server = try HTTPServer(address: "127.0.0.1", port: 0) { request, responder in
        asked.withLock { $0.append(request.method) }
        responder.respond(
          HTTPResponse(
            status: status, headers: [HTTPField("Location", "http://127.0.0.1:1/hidden-place")],
            body: Array("<title>root:x:0</title>hidden words".utf8)))
      }
      defer { server.stop() }
      let rig = try RecorderRig([RiggedSystem.self])
      let address = "icecast://source:hackme-long@127.0.0.1:\(server.port)/inner"
      #expect(try rig.post("record", [("output", address)]).status == 200)
      #expect(
        eventually {
          ["failed", "reconnecting"].contains(output("icecast", rig)["state"] as? String ?? "")
        })
      let text = try rig.get("/api/state").text
      for foreign in ["root:x", "hidden", "\(status) "] { #expect(!text.contains(foreign)) }
      #expect(output("icecast", rig)["detail"] as? String != "")
      #expect(try rig.post("stop").status == 200)
      #expect(!asked.withLock { $0 }.isEmpty)
    }

    @Test(arguments: [
      "http://127.0.0.1/", "https://127.0.0.1/", "file:///etc/passwd", "ftp://127.0.0.1/a",
      "gopher://127.0.0.1/", "srt://127.0.0.1:1", "HLS", "hls:///tmp", "/tmp/a.m4a", "icecast:a",
      "unix:///run/x", "-o a", "icecast+unix://a",
    ])
    func onlyServersForStreamsAreOutputs(output: String) throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let answer = try rig.post("record", [("output", output)])
      #expect(answer.status == 400 && answer.error.hasPrefix("An output is “hls”, or an address"))
      #expect(rig.phase == "idle" && rig.files.isEmpty)
    }

    @Test func pageReceivesAddressSchemes() throws {
      let schemes = try RecorderRig([RiggedSystem.self]).state["schemes"] as? [String: [String]]
      #expect(schemes == ["icecast": ["icecast", "icecasts"], "rtmp": ["rtmp", "rtmps"]])
    }

    @Test func hlsIsServedBelowItsPath() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      try rig.post("record", [("output", "hls"), ("title", "Choir")])
      #expect(output("hls", rig)["url"] as? String == "/hls/live.m3u8")
      // The server holds the request until the first segments are complete.
      let master = try rig.get("/hls/live.m3u8")
      #expect(master.status == 200 && master.text.hasPrefix("#EXTM3U"), "\(master.text)")
      let media = try #require(
        master.text.split(separator: "\n").map(String.init).first { $0.hasSuffix(".m3u8") })
      let playlist = try rig.get("/hls/" + media)
      #expect(playlist.text.contains("#EXTINF"))
      let segment = try #require(
        playlist.text.split(separator: "\n").map(String.init).first { $0.hasSuffix(".m4s") })
      let bytes = try rig.get("/hls/" + segment)
      #expect(bytes.status == 200 && bytes.text.utf8.count > 1000)
      #expect(try rig.get("/hls/").text.contains("Choir"))
      #expect(output("hls", rig)["state"] as? String == "live")
      #expect(output("hls", rig)["bytes"] as? Int ?? 0 > 1000)
      try rig.post("stop")
      // Listeners still receive the end of the playlist.
      #expect(try rig.get("/hls/" + media).text.contains("#EXT-X-ENDLIST"))
      try rig.post("record", [("device", "mic")])
      #expect(try rig.get("/hls/live.m3u8").status == 404)
      try rig.post("stop")
    }

    @Test func fullDiskYieldsPageMessage() throws {
      let plan = try RecordingPlan(RecordingRequest())
      let messages = Lock<[StudioMessage]>([])
      let outputs = OutputMessages(plan.redactor) { message in
        messages.withLock { $0 += [message].compactMap { $0 } }
      }
      let index = outputs.list.add(.save, name: "a.m4a")
      outputs.list.begin(index)
      outputs.list.count(index, frameCount: 7, byteCount: 99)
      outputs.list.fail(index, OutputError(.diskFull, "Use another disk with -o."))
      // The end of a failed output is not reported again.
      outputs.list.end(index)
      let text = outputs.json.encoded
      #expect(text.contains("\"state\":\"failed\"") && text.contains("Make room"))
      #expect(text.contains("\"sent\":7") && text.contains("\"bytes\":99"))
      #expect(!text.contains("-o") && messages.withLock { $0.count } == 1)
    }
  }
}
