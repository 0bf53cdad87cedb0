#if os(Linux)
import AacornDevices
import AacornSystem
import SoundRigs
import Testing

/// A capture from one of the devices of ``ALSAConfiguration``, and everything that it delivers.
struct ALSARun {
  private let id: String
  let source: ALSASource
  let sink = CaptureSink()
  /// What came, notices included.
  private(set) var blocks: [CaptureBlock] = []
  /// The samples of all blocks.
  private(set) var samples: [Float] = []
  /// When it began, in seconds.
  private var beginning = 0.0

  init(
    _ id: String, sampleRate: Int? = nil, channelCount: Int? = nil,
    longestSilence: Int64 = 5_000_000_000
  ) throws {
    self.id = id
    try ALSAConfiguration.install()
    let request = CaptureRequest(
      device: .pinned(id: id), sampleRate: sampleRate, channelCount: channelCount)
    source = try ALSASource(request, longestSilence: longestSilence)
  }

  /// How long the device ran unseen at worst, in seconds.
  private var longestRest: Double {
    guard let configuration = try? ALSAConfiguration.install() else { return 0 }
    // `fault:ID=name,…`
    let name = id.split(separator: "=").dropFirst().first?.prefix { $0 != "," } ?? ""
    return configuration.longestRest(ofDevice: String(name))
  }

  /// Whether the machine was so busy that the device's buffer, a quarter of a second, may have been full
  /// before anybody could read it.
  var wasHeldUp: Bool { longestRest > 0.2 }

  var frameCount: Int { blocks.reduce(0) { $0 + $1.frameCount } }
  var lostFrameCount: Int { blocks.reduce(0) { $0 + $1.lostFrameCount } }
  var notices: [CaptureNotice] { blocks.map(\.notice).filter { $0 != .samples } }
  /// The blocks with samples.
  var sound: [CaptureBlock] { blocks.filter { $0.notice == .samples } }

  /// Why frames are missing, once for each time.
  var allCausesOfLoss: [CaptureLoss] { sound.filter { $0.lostFrameCount > 0 }.map(\.lossCause) }
  /// The same without what was lost because nobody could look.
  var causesOfLoss: [CaptureLoss] {
    wasHeldUp ? allCausesOfLoss.filter { $0 != .overrun } : allCausesOfLoss
  }

  mutating func start() throws {
    beginning = System.seconds
    try source.start(sink)
  }

  /// Takes what comes until something is so; an issue if it never is.
  mutating func collect(
    sourceLocation: SourceLocation = #_sourceLocation, until isDone: (ALSARun) -> Bool
  ) {
    let deadline = System.seconds + Patience.seconds
    while !isDone(self) && System.seconds < deadline { take(milliseconds: 20) }
    #expect(
      isDone(self), "\(frameCount) frames, \(lostFrameCount) lost, \(notices)",
      sourceLocation: sourceLocation)
  }

  /// Takes what comes until nothing comes any more.
  mutating func collectToStandstill() {
    while take(milliseconds: 200) {}
  }

  /// Ends the capture and takes the rest.
  mutating func stop() {
    source.stop()
    while take(milliseconds: 0) {}
  }

  /// Starts, takes what comes until something is so, and stops.
  mutating func run(
    sourceLocation: SourceLocation = #_sourceLocation, until isDone: (ALSARun) -> Bool
  ) throws {
    try start()
    collect(sourceLocation: sourceLocation, until: isDone)
    stop()
  }

  /// Takes the next block; false if there is none for so long.
  @discardableResult
  mutating func take(milliseconds: Int) -> Bool {
    guard let block = sink.read(into: &samples, milliseconds: milliseconds) else { return false }
    blocks.append(block)
    return true
  }

  /// The numbers of the frames that came, with what the blocks call lost before each block.
  func frames(format: String) -> [(lost: Int, numbers: [Int])] {
    var start = 0
    return sound.map { block in
      let end = start + block.frameCount * block.channelCount
      let numbers = stride(from: start, to: end, by: block.channelCount).map {
        ALSAConfiguration.frame(of: samples[$0..<($0 + block.channelCount)], format: format)
      }
      start = end
      return (block.lostFrameCount, numbers)
    }
  }

  /// The number of the last frame that came and is not silent.
  func lastNumber(format: String) -> Int {
    for end in stride(from: samples.count, to: 0, by: -2) {
      let number = ALSAConfiguration.frame(of: samples[(end - 2)..<end], format: format)
      if number != 0 { return number }
    }
    return 0
  }

  /// Checks that the frames of two channels that a server passed on, silence apart, come once and in order,
  /// from the first on, and that none is missing but where blocks tell a loss: at most as many as these
  /// tell and as the device's buffer holds.
  ///
  /// All that came of them and was lost fits into the time that has passed.
  func expectNumbersWithoutUntoldLoss(format: String) {
    var next = 1
    var lost = 0
    var count = lostFrameCount
    for (lostBefore, numbers) in frames(format: format) {
      lost += lostBefore
      for number in numbers where number != 0 {
        let isInOrder = number >= next
        #expect(isInOrder, "frame \(number) comes after \(next - 1)")
        let isTold = number - next <= (lost == 0 ? 0 : lost + 12_000)
        #expect(isTold, "\(number - next) frames are missing before \(number), and \(lost) told")
        next = number + 1
        lost = 0
        count += 1
      }
    }
    let told = Double(count) / 48_000
    #expect(
      told < System.seconds - beginning + 0.5, "\(lostFrameCount) of \(count) frames are told lost")
  }

  /// Checks that every frame comes once and in order, and that what is missing is what the blocks
  /// call lost, give or take `tolerance` and, where that is not 0, how late the device was asked.
  func expectEveryFrameAccountedFor(format: String = "S32_LE", tolerance: Int = 0) {
    let tolerance = tolerance == 0 ? 0 : tolerance + Int(longestRest * 48_000)
    var next: Int?
    for (lost, numbers) in frames(format: format) {
      guard let first = numbers.first else { continue }
      if let next {
        #expect(first >= next, "a frame comes twice")
        #expect(abs(first - next - lost) <= (lost == 0 ? 0 : tolerance), "lost: \(lost)")
      }
      let isUnbroken = numbers == Array(first..<(first + numbers.count))
      #expect(isUnbroken, "a block has a gap inside")
      next = first + numbers.count
    }
  }
}
#endif
