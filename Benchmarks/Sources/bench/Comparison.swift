import Foundation

/// Compares aacorn with ffmpeg's own encoder, with the same input at the same bitrate.
struct Comparison {
  let aacorn: String
  let minutes: Int
  let rounds: Int

  private struct Contestant {
    let name: String
    let program: String
    let arguments: [String]
    var times: [Double] = []
    var peak = 0
    var size = 0
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("aacorn-bench-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (input, output) = ("\(folder)/music.wav", "\(folder)/out.m4a")
    try Music.write(minutes: minutes, to: input)
    var contestants = ["fast", "balanced", "best"].map { effort in
      Contestant(
        name: "aacorn, \(effort)", program: aacorn,
        arguments: [
          "encode", "-q", "-f", "-b", "128k", "--effort", effort, input, "-o", output,
        ])
    }
    if let ffmpeg = Child.find("ffmpeg") {
      contestants.append(
        Contestant(
          name: "ffmpeg -c:a aac (twoloop)", program: ffmpeg,
          arguments: [
            "-nostdin", "-v", "error", "-y", "-i", input, "-threads", "1", "-c:a", "aac",
            "-aac_coder", "twoloop", "-b:a", "128k", output,
          ]))
    }
    // Alternate the encoders in rounds, so that other load affects all of them.
    for _ in 0..<rounds {
      for index in contestants.indices {
        let usage = try Child.run(contestants[index].program, contestants[index].arguments)
        contestants[index].times.append(usage.userSeconds)
        contestants[index].peak = max(contestants[index].peak, usage.peakBytes)
        let attributes = try FileManager.default.attributesOfItem(atPath: output)
        contestants[index].size = attributes[.size] as? Int ?? 0
      }
    }
    report(contestants)
  }

  private func report(_ contestants: [Contestant]) {
    print("\n\(minutes) minutes of stereo at 128 kb/s, median of \(rounds) interleaved rounds")
    Table.row("", "user s", "× realtime", "of ffmpeg", "peak MB")
    let seconds = Double(minutes * 60)
    let rival = contestants.first { $0.name.hasPrefix("ffmpeg") }?.times.median
    for contestant in contestants {
      let time = contestant.times.median
      Table.row(
        contestant.name, Table.number(time, 2), Table.number(seconds / time, 0),
        rival.map { Table.number(time / $0, 2) } ?? "no ffmpeg",
        Table.number(Double(contestant.peak) / 1e6, 1))
      let rate = Double(contestant.size) * 8 / seconds / 1000
      if abs(rate / 128 - 1) > 0.03 {
        print("    its file has \(Table.number(rate, 1)) kb/s, so it is not quite comparable")
      }
    }
  }
}
