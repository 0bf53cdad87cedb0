#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// The server's own echo and noise removal, as a source that filters the microphone's signal.
///
/// An existing filter is used. Otherwise the server's module is loaded, and unloaded afterward.
final class PulseVoiceProcessing {
  /// A module that this program has loaded into the server.
  private struct Addition {
    let module: UInt32
    let master: String
    let masterVolume: aacorn_pulse_cvolume
    let sinkName: String
  }

  private static let prefix = "aacorn_voice_"
  private static let count = Atomic<Int>(0)

  private let connection: PulseConnection
  private var addition: Addition?
  /// The source without echo.
  private(set) var source: PulseDeviceInfo

  /// A diagnostic about the limits of a loaded filter; nil if the filter existed before.
  var diagnostic: String? {
    addition.map {
      "Echo is removed only for audio played on the output “\($0.sinkName)”. For other audio, only"
        + " noise is reduced."
    }
  }

  /// Sets the filter up for a microphone, either the default or a chosen one.
  init(
    for microphone: PulseDeviceInfo, isChosen: Bool, _ connection: PulseConnection,
    until deadline: Int64
  ) throws(DeviceError) {
    self.connection = connection
    source = microphone
    if microphone.isEchoCancelled { return }
    do {
      let sources = try connection.devices(for: .capture, until: deadline)
      // PipeWire does not report the microphone of a filter; it is mostly the default one. A filter
      // that another recording has loaded would disappear with that recording.
      let present = sources.first {
        $0.isEchoCancelled && !$0.name.hasPrefix(Self.prefix)
          && ($0.master == microphone.name || $0.master == nil && !isChosen)
      }
      if let present {
        source = present
        return
      }
      try add(to: microphone, until: deadline)
    } catch {
      let words =
        switch error {
        case .refused(let number):
          "PulseAudio rejected its echo canceler (\(connection.loop.library.errorText(number)))"
        case .noAnswer, .disconnected: "PulseAudio does not respond"
        case .ended: "the operation was canceled"
        }
      throw .noVoiceProcessing(reason: words)
    }
  }

  deinit {
    remove(until: System.nanoseconds + 300_000_000)
  }

  private func add(
    to microphone: PulseDeviceInfo, until deadline: Int64
  ) throws(PulseFailure) {
    let number = Self.count.add(1) + 1
    let name = "\(Self.prefix)\(System.processNumber)_\(number)"
    let sinkName = name + "_output"
    var common = "source_master=\(microphone.name) source_name=\(name) sink_name=\(sinkName)"
    if let sink = try connection.defaultName(for: .playback, until: deadline) {
      common += " sink_master=\(sink)"
    }
    // The first attempt disables the analog gain control, which would permanently lower the volume
    // of the microphone itself. The later attempts are for servers without the method `webrtc`, or
    // with other names for its settings; they use their own defaults.
    let attempts = [
      " use_master_format=1 aec_method=webrtc"
        + " aec_args=\"analog_gain_control=0 digital_gain_control=1\"",
      " aec_method=webrtc", "",
    ]
    var failure = PulseFailure.noAnswer
    for attempt in attempts {
      do {
        let module = try connection.loadModule(
          "module-echo-cancel", common + attempt, until: deadline)
        addition = Addition(
          module: module, master: microphone.name, masterVolume: microphone.volume,
          sinkName: sinkName)
        source = try awaitSource(named: name, until: deadline)
        return
      } catch {
        remove(until: System.nanoseconds + 300_000_000)
        guard case .refused = error else { throw error }
        failure = error
      }
    }
    throw failure
  }

  /// Waits for the source, which PipeWire creates some time after confirming the module.
  private func awaitSource(
    named name: String, until deadline: Int64
  ) throws(PulseFailure) -> PulseDeviceInfo {
    while true {
      do {
        return try connection.device(named: name, for: .capture, until: deadline)
      } catch {
        guard error == .unknown, System.nanoseconds < deadline else { throw error }
        let pause = System.nanoseconds + 50_000_000
        _ = connection.wait(until: pause) { false }
        if connection.stopsWaitingAtEnd && connection.loop.isEnding { throw .ended }
      }
    }
  }

  /// Removes the added module, and restores the microphone's volume.
  func remove(until deadline: Int64) {
    guard let addition, connection.isGood else { return }
    self.addition = nil
    let stoppedWaitingAtEnd = connection.stopsWaitingAtEnd
    connection.stopsWaitingAtEnd = false
    defer { connection.stopsWaitingAtEnd = stoppedWaitingAtEnd }
    try? connection.unloadModule(addition.module, until: deadline)
    guard
      let microphone = try? connection.device(
        named: addition.master, for: .capture, until: deadline),
      !microphone.volume.equals(addition.masterVolume)
    else { return }
    try? connection.setVolume(
      addition.masterVolume, ofSource: addition.master, until: deadline)
  }
}

extension aacorn_pulse_cvolume {
  fileprivate func equals(_ other: aacorn_pulse_cvolume) -> Bool {
    var (own, others) = (self, other)
    return unsafe withUnsafeBytes(of: &own) { own in
      unsafe withUnsafeBytes(of: &others) { others in
        unsafe own.elementsEqual(others)
      }
    }
  }
}
#endif
