import AacornSignal
import Testing

/// Public functions do not trap: each is called with the minimum and the maximum of its arguments.
struct ExtremeArgumentTests {
  private static let counts = [Int.min, -1, 0, 1, 2, 65, Int.max]
  private static let numbers = [
    Double.nan, -.infinity, -.greatestFiniteMagnitude, -1, 0, .leastNonzeroMagnitude, 1e9,
    .greatestFiniteMagnitude, .infinity,
  ]
  /// One sample more than whole frames, for any number of channels except one.
  private static let samples: [Float] = {
    var samples = noise(961)
    for index in stride(from: 0, to: 961, by: 97) { samples[index] = .nan }
    for index in stride(from: 50, to: 961, by: 89) { samples[index] = .infinity }
    return samples
  }()

  /// Pairs of channels and rates; the maximum of both together would need hundreds of megabytes.
  private static let forms: [(channels: Int, rate: Int)] =
    counts.map { ($0, 44_100) } + counts.map { (2, $0) } + [(Int.min, Int.min), (0, 0)]

  // MARK: Meters

  @Test func metersAcceptAnyFormat() {
    for form in Self.forms {
      let channelCount = min(max(form.channels, 1), 64)
      let rate = min(max(form.rate, 1), 3_072_000)
      var levels = LevelMeter(channelCount: form.channels, sampleRate: form.rate)
      levels.process(Self.samples.span)
      levels.process([Float](repeating: 1, count: channelCount - 1).span)
      #expect(levels.channelCount == channelCount && levels.sampleRate == rate)
      #expect(levels.takePeaks().count == channelCount)
      #expect(levels.levels.allSatisfy { $0.power.isFinite })
      var sound = AudioMeter(channelCount: form.channels, sampleRate: form.rate)
      sound.process(Self.samples.span)
      sound.changeFormat(channelCount: 0, sampleRate: -1)
      sound.process(Self.samples.span)
      #expect(sound.channelCount == 1 && sound.sampleRate == 1)
      var loudness = LoudnessMeter(channelCount: form.channels, sampleRate: form.rate)
      loudness.process(Self.samples.span)
      loudness.changeFormat(channelCount: form.rate, sampleRate: form.channels)
      loudness.process(Self.samples.span)
      #expect(loudness.channelCount == min(max(form.rate, 1), 64))
    }
    for count in Self.counts {
      var silence = SilenceMeter(channelCount: count)
      silence.process(Self.samples.span)
      #expect(silence.frameCount == Int64(Self.samples.count / silence.channelCount))
      var peaks = TruePeakMeter(channelCount: count)
      peaks.process(Self.samples.span)
      #expect(peaks.peaks.count == peaks.channelCount)
    }
  }

  // MARK: Effects

  @Test func effectsAcceptAnyFormat() {
    for (channels, rate) in Self.forms {
      for effect in everyEffect(channelCount: channels, sampleRate: rate) { run(effect) }
      var stretch = TimeStretch(sampleRate: rate, channelCount: channels)
      var output: [Float] = []
      stretch.process(Self.samples.span, into: &output)
      stretch.setSpeed(2)
      stretch.process(Self.samples.span, into: &output)
      stretch.flush(into: &output)
      #expect(output.count % stretch.channelCount == 0)
    }
    for latency in [Int.min, -1, 0, 100] {
      for channels in Self.counts {
        var bypass = BypassSwitch(latency: latency, channelCount: channels, sampleRate: latency)
        bypass.isBypassed = true
        var samples = Self.samples + Self.samples
        bypass.store(samples.span)
        var span = samples.mutableSpan
        bypass.blend(into: &span)
        #expect(samples.last == Self.samples.last)
      }
    }
  }

  @Test func effectsAcceptAnySetting() {
    for x in Self.numbers {
      run(GainEffect(decibels: x, channelCount: 2, sampleRate: 48_000))
      let band = EqualizerEffect.Band(.peak, frequency: x, decibels: x, quality: x)
      var equalizer = EqualizerEffect([band], channelCount: 2, sampleRate: 48_000)
      equalizer.bands = []
      #expect(processed(equalizer, [0.5, 0.25, 0.125]) == [0.5, 0.25, 0.125])
      equalizer.bands = [band, band]
      run(equalizer)
      let compression = CompressorEffect.Settings(
        ratio: x, threshold: x, knee: x, attack: x, release: x, makeUp: x)
      run(CompressorEffect(compression, channelCount: 2, sampleRate: 48_000))
      let limit = LimiterEffect.Settings(ceiling: x, release: x)
      run(LimiterEffect(limit, channelCount: 2, sampleRate: 48_000))
      let gate = GateEffect.Settings(
        threshold: x, depth: x, hysteresis: x, attack: x, hold: x, release: x)
      run(GateEffect(gate, channelCount: 2, sampleRate: 48_000))
      let loudness = LoudnessEffect.Settings(target: x, depth: x, speed: x, gate: x)
      run(LoudnessEffect(loudness, channelCount: 2, sampleRate: 48_000))
      var stretch = TimeStretch(sampleRate: 48_000, channelCount: 2)
      stretch.setSpeed(x)
      #expect(TimeStretch.supportedSpeeds.contains(stretch.speed))
      for rate in Self.counts {
        let filter = Biquad(.lowShelf, frequency: x, quality: x, decibels: x, sampleRate: rate)
        #expect(filter.b0.isFinite && filter.a2.isFinite)
      }
    }
  }

  /// Applies an effect to samples with NaN and infinity; its output must be finite, except for an
  /// incomplete frame.
  private func run(_ effect: any AudioEffect) {
    let result = processed(effect, Self.samples)
    #expect(result.prefix(result.count - 64).allSatisfy { $0.isFinite })
  }

  // MARK: Samples

  @Test func conversionsAcceptAnyFormat() throws {
    var output: [Float] = []
    for count in Self.counts {
      for bits in Self.counts {
        var quantizer = SampleQuantizer(bitCount: bits, channelCount: count, isDithered: bits > 0)
        var integers: [Int32] = []
        quantizer.quantize(Self.samples.span, into: &integers)
        #expect(integers.count == Self.samples.count)
        #expect([16, 24, 32].contains(quantizer.bitCount) && quantizer.channelCount > 0)
      }
      let format = PCMFormat(
        sampleFormat: SampleFormat(.int24BigEndian, validBits: count), sampleRate: count,
        channelCount: count)
      var reader = PCMFrameReader(format: format, byteCount: .max)
      reader.read([UInt8](repeating: 1, count: 100).span, into: &output)
      var words: [Int16] = []
      reader.read([UInt8](repeating: 1, count: 100).span, into: &words)
      #expect(format.bytesPerFrame >= 3)
      let buffer = SoundBuffer(Self.samples, sampleRate: count, channelCount: count)
      #expect(buffer.frameCount == (count < 1 ? 0 : Self.samples.count / count))
      #expect(throws: PCMError.self) { try Resampler(from: count, to: 48_000, channelCount: 2) }
      #expect(throws: PCMError.self) {
        try VariableResampler(from: 48_000, to: count, channelCount: 2)
      }
      #expect(throws: PCMError.self) { try ChannelMixer(from: count, to: .max) }
      _ = try? ChannelMap(from: count, to: count)
      _ = try? ChannelMap(picking: [count], of: count, to: 1)
      _ = ChannelLayout(waveMask: .max, channelCount: count)
      _ = ChannelLayout(coreAudioTag: .max, channelCount: count)
      _ = SampleFormat(integerBytes: count, bigEndian: true, validBits: count)
    }
    for encoding in SampleFormat.Encoding.allCases {
      var words: [Int16] = []
      SampleConversion.append(
        [UInt8](repeating: 0x7F, count: 17).span, as: SampleFormat(encoding), to: &words)
      #expect(words.count == 17 / SampleFormat(encoding).bytesPerSample)
    }
  }

  @Test func incompleteFramesAreLeftOut() throws {
    let odd: [Float] = [0.5, 0.25, 0.125]
    var output: [Float] = []
    var same = try Resampler(from: 48_000, to: 48_000, channelCount: 2)
    same.process(odd.span, into: &output)
    #expect(output == [0.5, 0.25])
    var resampler = try Resampler(from: 48_000, to: 44_100, channelCount: 2)
    resampler.process(odd.span, into: &output)
    var variable = try VariableResampler(from: 48_000, to: 44_100, channelCount: 2)
    variable.partsPerMillion = .infinity
    variable.process(odd.span, into: &output)
    output = []
    try ChannelMixer(from: 2, to: 1).mix(odd.span, into: &output)
    #expect(output == [0.375])
    output = []
    try ChannelMap(picking: [1], of: 2, to: 1).apply(odd.span, into: &output)
    try ChannelMap(from: 2, to: 2).apply(odd.span, into: &output)
    #expect(output == [0.25, 0.5, 0.25])
    for (first, order, result) in [
      (0, [1, 0], [0.25, 0.5, 0.125]), (1, [1, 0], [0.5, 0.125, 0.25]), (-1, [0], odd),
      (4, [0], odd), (0, [], odd), (0, [2, 0], odd), (0, [-1, 0], odd),
    ] as [(Int, [Int], [Float])] {
      var samples = odd
      ChannelLayout.reorder(&samples, from: first, by: order)
      #expect(samples == result)
    }
  }

  @Test func timesAcceptAnyNumber() {
    for rate in Self.counts {
      for value in [Int64.min, -1, 0, 1, .max] {
        let time = MediaTime(value: value, timescale: rate > 1 ? .max : 1)
        let other = MediaTime(nanoseconds: ~value).adding(frames: value, sampleRate: rate)
        #expect(time != nil)
        _ = time?.frames(since: other, sampleRate: rate)
        var clock = PresentationClock()
        _ = clock.append(time, frameCount: rate, sampleRate: rate)
        _ = clock.append(other, frameCount: rate, sampleRate: rate)
        _ = clock.append(nil, frameCount: rate, sampleRate: rate)
      }
    }
  }
}
