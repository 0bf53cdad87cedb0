import Testing

@testable import AacornCommands

@Suite struct InspectCommandTests {
  private let folder: TemporaryFolder
  private let captured = CapturedConsole()

  init() throws {
    folder = try TemporaryFolder()
  }

  private func encode(_ name: String) -> String {
    let path = folder.path(name)
    #expect(CapturedConsole().run(["encode", "--tone", "1", "-o", path]) == .success)
    return path
  }

  @Test(arguments: ["a.m4a", "a.aac", "a.latm"])
  func ownFilesAreSound(name: String) {
    let path = encode(name)
    #expect(captured.run(["inspect", path]) == .success)
    #expect(captured.output.contains("44.1 kHz, stereo"))
    #expect(captured.output.contains("Faults       none"))
    if name == "a.m4a" { #expect(captured.output.contains("44100 samples")) }
  }

  @Test func framesAreListedOnePerLine() {
    let path = encode("a.aac")
    #expect(captured.run(["inspect", "--frames", path]) == .success)
    let lines = captured.output.split(separator: "\n")
    #expect(lines[0].contains("Num|   Profile| Frequency| Channel|  Size|"))
    #expect(lines[1].contains("0|        LC|     44100|       2|"))
    #expect(lines[2].contains("|      0.023|"))
    #expect(lines.count > 45)
  }

  @Test func jsonHasAnObjectForEveryFrameAndOneForTheFile() {
    let path = encode("a.aac")
    #expect(captured.run(["inspect", "--json", "--frames", path]) == .success)
    let lines = captured.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("{\"type\":\"frame\",\"number\":0,"))
    #expect(lines.last?.hasPrefix("{\"type\":\"report\",") == true)
    #expect(lines.last?.contains("\"frames\":\(lines.count - 1),") == true)
    #expect(lines.last?.hasSuffix("\"faults\":[]}") == true)
  }

  @Test func garbageBetweenFramesIsAFaultWithAPlace() throws {
    _ = encode("a.aac")
    let bytes = try folder.read("a.aac")
    let first = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
    let damaged = bytes[..<first] + [UInt8](repeating: 0, count: 25) + bytes[first...]
    let path = try folder.write(Array(damaged), to: "b.aac")
    #expect(captured.run(["inspect", path]) == .failed)
    #expect(captured.output.contains("error at byte \(first), 25 bytes, frame 1: "))
    #expect(captured.output.contains("1 error, 0 warnings"))
  }

  @Test func somethingElseIsNoAAC() throws {
    let path = try folder.write(Array("hello, world".utf8), to: "x.txt")
    #expect(captured.run(["inspect", path]) == .failed)
    #expect(captured.output.contains("This is no AAC"))
    #expect(captured.run(["inspect", folder.path("none")]) == .cannotRead)
    #expect(captured.run(["inspect"]) == .usage)
  }

  @Test func thePlotIsAPictureThatIsNotReplaced() throws {
    let path = encode("a.m4a")
    let plot = folder.path("a.svg")
    #expect(captured.run(["inspect", "--plot", plot, path]) == .success)
    let svg = String(decoding: try folder.read("a.svg"), as: UTF8.self)
    #expect(svg.hasPrefix("<svg xmlns="))
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("kb/s</text>"))
    #expect(captured.run(["inspect", "--plot", plot, path]) == .cannotWrite)
    #expect(captured.run(["inspect", "--plot", plot, "--force", path]) == .success)
    #expect(captured.run(["inspect", "--plot", plot, path, path]) == .usage)
  }

  @Test func axesHaveRoundSteps() {
    #expect(BitrateChart.step(for: 128, parts: 6) == 50)
    #expect(BitrateChart.step(for: 6, parts: 6) == 1)
    #expect(BitrateChart.step(for: 0.9, parts: 8) == 0.2)
    let chart = BitrateChart(secondsPerValue: 1, values: [1e5, 2e5], mean: 1.5e5, title: "<&>")
    #expect(chart.svg.contains("&lt;&amp;&gt;"))
    #expect(chart.svg.contains("mean 150.0 kb/s"))
    let empty = BitrateChart(secondsPerValue: 1, values: [], mean: 0, title: "")
    #expect(empty.svg.hasSuffix("</svg>\n"))
  }
}
