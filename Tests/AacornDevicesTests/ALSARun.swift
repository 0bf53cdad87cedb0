#if os(Linux)
import AacornDevices
import AacornSystem
import SoundRigs
import Testing

/// A capture from a device of ``ALSAConfiguration``, with all of its output.
struct ALSARun {
  private let id: String
  let source: ALSASource
  let sink = CaptureSink()
  /// All blocks, including events.
  private(set) var blocks: [CaptureBlock] = []
  /// The samples of all blocks.
  private(set) var samples: [Float] = []
  /// The time of the start in seconds.
  private var beginning = 0.0

  init(
    _ id: String, sampleRate: Int? = nil, channelCount: Int? = nil,
    maxSilenceNanoseconds: Int64 = 5_000_000_000
  ) throws {
    self.id = id
    try ALSAConfiguration.install()
    let request = CaptureRequest(
      device: .pinned(id: id), sampleRate: sampleRate, channelCount: channelCount)
    source = try ALSASource(request, maxSilenceNanoseconds: maxSilenceNanoseconds)
  }

  /// The longest time between two polls of the device, in seconds.
  private var maxIdleSeconds: Double {
    guard let configuration = try? ALSAConfiguration.install() else { return 0 }
    // The id has the form `fault:ID=name,…`.
    let name = id.split(separator: "=").dropFirst().first?.prefix { $0 != "," } ?? ""
    return configuration.maxIdleSeconds(ofDevice: String(name))
  }

  /// Whether the machine was so busy that the device's buffer of 0.25 s may have been full before
  /// it was read.
  var wasStalled: Bool { maxIdleSeconds > 0.2 }

  var frameCount: Int { blocks.reduce(0) { $0 + $1.frameCount } }
  var lostFrameCount: Int { blocks.reduce(0) { $0 + $1.lostFrameCount } }
  var events: [CaptureEvent] { blocks.map(\.event).filter { $0 != .samples } }
  /// The blocks with samples.
  var sound: [CaptureBlock] { blocks.filter { $0.event == .samples } }

  /// The cause of each loss of frames.
  var allCausesOfLoss: [CaptureLoss] { sound.filter { $0.lostFrameCount > 0 }.map(\.lossCause) }
  /// The cause of each loss, without overruns if the device was polled too late.
  var causesOfLoss: [CaptureLoss] {
    wasStalled ? allCausesOfLoss.filter { $0 != .overrun } : allCausesOfLoss
  }

  mutating func start() throws {
    beginning = System.seconds
    try source.start(sink)
  }

  /// Collects blocks until `isDone` returns true; records an issue on timeout.
  mutating func collect(
    sourceLocation: SourceLocation = #_sourceLocation, until isDone: (ALSARun) -> Bool
  ) {
    let deadline = System.seconds + TestTimeout.seconds
    while !isDone(self) && System.seconds < deadline { take(milliseconds: 20) }
    #expect(
      isDone(self), "\(frameCount) frames, \(lostFrameCount) lost, \(events)",
      sourceLocation: sourceLocation)
  }

  /// Collects blocks until none arrives for 200 ms.
  mutating func collectUntilIdle() {
    while take(milliseconds: 200) {}
  }

  /// Stops the capture and collects the remaining blocks.
  mutating func stop() {
    source.stop()
    while take(milliseconds: 0) {}
  }

  /// Starts, collects blocks until `isDone` returns true, and stops.
  mutating func run(
    sourceLocation: SourceLocation = #_sourceLocation, until isDone: (ALSARun) -> Bool
  ) throws {
    try start()
    collect(sourceLocation: sourceLocation, until: isDone)
    stop()
  }

  /// Reads the next block; returns false on timeout.
  @discardableResult
  mutating func take(milliseconds: Int) -> Bool {
    guard let block = sink.read(into: &samples, milliseconds: milliseconds) else { return false }
    blocks.append(block)
    return true
  }

  /// Returns the frame numbers of each block, with the reported loss before the block.
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

  /// The number of the last frame that is not silent.
  func lastNumber(format: String) -> Int {
    for end in stride(from: samples.count, to: 0, by: -2) {
      let number = ALSAConfiguration.frame(of: samples[(end - 2)..<end], format: format)
      if number != 0 { return number }
    }
    return 0
  }

  /// Checks that two-channel frames from a server, except silence, arrive once and in order, from
  /// the first one on.
  ///
  /// Frames may be missing only where blocks report a loss, up to the reported loss plus the
  /// device's buffer.
  ///
  /// The received and lost frames fit in the elapsed time.
  func expectNumbersWithoutUnreportedLoss(format: String) {
    var next = 1
    var lost = 0
    var count = lostFrameCount
    for (lostBefore, numbers) in frames(format: format) {
      lost += lostBefore
      for number in numbers where number != 0 {
        let isInOrder = number >= next
        #expect(isInOrder, "frame \(number) comes after \(next - 1)")
        let isReported = number - next <= (lost == 0 ? 0 : lost + 12_000)
        #expect(
          isReported,
          "\(number - next) frames are missing before \(number), and \(lost) are reported")
        next = number + 1
        lost = 0
        count += 1
      }
    }
    let accountedSeconds = Double(count) / 48_000
    #expect(
      accountedSeconds < System.seconds - beginning + 0.5,
      "\(lostFrameCount) of \(count) frames are reported as lost")
  }

  /// Checks that every frame arrives once and in order, and that the missing frames are the
  /// reported loss within `tolerance`.
  ///
  /// A tolerance other than 0 is extended by the longest delay between polls.
  func expectEveryFrameAccountedFor(format: String = "S32_LE", tolerance: Int = 0) {
    let tolerance = tolerance == 0 ? 0 : tolerance + Int(maxIdleSeconds * 48_000)
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
