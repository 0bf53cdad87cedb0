import AVFAudio
import Aacorn
import AudioToolbox
import CoreMedia

// The code that the tables of the article name, in use.

extension AppCode {
  static func captureInTheNewWay() async throws {
    let choice: CoreAudioSessionOptions = .manual
    CoreAudioSessionOptions.forApp = choice
    let outputs: [any PacketOutput] = [FileOutput("test.aac", .aac)]
    _ = Recorder(from: CaptureRequest())
    let recorder = Recorder(from: CaptureRequest(isVoiceProcessed: true), to: outputs)
    try await recorder.start()
    await recorder.setMuted(true)
    for await packet in recorder.packets {
      print(packet[keyPath: \EncodedPacket.position], packet.captureTime)
    }
    for await event in recorder.events {
      switch event {
      case .suspended, .resumed, .deviceChanged: print(event)
      default: break
      }
    }
  }

  static func encodeInTheNewWay(_ samples: [Float], _ bytes: inout [UInt8]) throws {
    var encoder = try AACEncoder(.init(sampleRate: 48_000, channelCount: 2))
    encoder.encode(interleaved: samples)
    let trim: StreamTrim = encoder.finish()
    print(trim.priming, encoder.audioSpecificConfig.bytes)
    print(MagicCookie.bytes(of: encoder.audioSpecificConfig))
    print(try TimedEncoder(.init(sampleRate: 48_000, channelCount: 2)).timing)
    var stream = try ADTSWriter(configuration: encoder.audioSpecificConfig)
    let old = try ADTSWriter(configuration: encoder.audioSpecificConfig, version: .mpeg2)
    let new = try ADTSWriter(configuration: encoder.audioSpecificConfig, version: .mpeg4)
    print(old.frameCount, new.frameCount)
    var unit = AccessUnit()
    while encoder.nextAccessUnit(into: &unit) { try stream.append(unit, to: &bytes) }
  }

  static func readInTheNewWay(_ path: String, _ bytes: [UInt8]) async throws {
    var reader = ADTSReader()
    reader.append(bytes)
    while let event = reader.next() { print(event) }
    _ = try SoundFileReader(path)
    for try await buffer in SoundFileBuffers(path) { print(buffer) }
    print(try await AACFile.inspect(path).frameCount, StreamInspector().report.frameCount)
    try await Player(playing: [PlaylistItem(path)]).start()
  }

  static func sendInTheNewWay(to server: RTMPConfiguration) {
    print(LiveOutput(RTMPService(server)).name)
    var options = LiveOptions()
    options.initialReconnectDelay = .seconds(1)
    options.maxReconnectDelay = .seconds(3)
    options.attemptLimit = 5
    let bitrate = AdaptiveBitrate(48_000...128_000, from: 96_000)
    let live = LiveOutput(RTMPService(server), options, bitrate: bitrate) { (state: LiveState) in
      print(state)
    }
    let status: LiveStatus = live.connection.status
    print(status.sentByteCount, status.droppedFrameCount, status.queuedFrameCount)
  }

  static func qualitiesOfLFLiveKit() -> [RecordingConfiguration] {
    [
      RecordingConfiguration(sampleRate: 16_000, channelCount: 1, bitrate: 32_000),
      RecordingConfiguration(sampleRate: 44_100, channelCount: 2, bitrate: 96_000),
      RecordingConfiguration(sampleRate: 44_100, channelCount: 2, bitrate: 128_000),
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, bitrate: 128_000),
    ]
  }

  static func pushInTheNewWay(_ block: [Float]) async {
    let source = PushSource(sampleRate: 48_000, channelCount: 2)
    await source.send(block)
    source.finish()
  }

  static func useAppleTypes(of recorder: Recorder) async throws {
    var choice = CoreAudioSessionOptions()
    choice.voiceProcessing = CoreAudioVoiceProcessing(ducking: .minimum, adjustsGain: false)
    let watch = CoreAudioSystem.watchRoute({ (reason: CoreAudioRouteReason) in print(reason) })
    let microphone: Microphone = Microphone(sampleRate: 44_100, channelCount: 2)
    for try await buffer in microphone.sampleBuffers() { print(buffer) }
    for try await buffer in microphone.pcmBuffers() { print(buffer.frameLength) }
    guard let format = try recorder.packetFormat?.makeFormatDescription() else { return }
    for await packet in recorder.packets {
      print(try packet.makeSampleBuffer(format, startingAt: packet.hostTime))
    }
    for encoder in AACSystemEncoder.available() { print(encoder.profile, encoder.bitrates) }
    print(AudioStreamBasicDescription().formatText, choice, watch as Any)
  }
}
