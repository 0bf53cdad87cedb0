/// Sounds made by this library, offered like the devices of a sound system.
///
/// A sound file is a device too, with the id `file:` and its path. This target reads no files, so
/// whoever can makes a ``SyntheticSignal`` of it, and a ``SyntheticSource`` of that.
public enum SyntheticSystem: CaptureSystem {
  /// The built-in signals.
  public enum BuiltIn: String, Sendable, CaseIterable {
    /// Struck notes, ``ToneSignal``.
    case tone
    /// A rising sine, ``SweepSignal``.
    case sweep
    /// Something like a voice, ``SpeechSignal``.
    case speech
    /// Zeros, ``SilenceSignal``.
    case silence
    /// Numbered frames, ``CounterSignal``.
    case counter
  }

  /// Which system it is.
  public static let backend = CaptureBackend.synthetic

  /// Does nothing: it can always be used.
  public static func checkAvailability() throws(CaptureError) {}

  /// The built-in signals.
  public static func devices() throws(CaptureError) -> [CaptureDevice] {
    BuiltIn.allCases.map(device)
  }

  /// A source in real time; files are not opened here.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(CaptureError) -> any CaptureSource {
    try makeSource(request, pacing: .realTime, faults: SyntheticFaults())
  }

  /// A source of a built-in signal, with a clock of its own or with faults if wanted.
  public static func makeSource(
    _ request: CaptureRequest, pacing: SyntheticSource.Pacing, faults: SyntheticFaults
  ) throws(CaptureError) -> SyntheticSource {
    let id: String
    switch request.device {
    case .followingDefault: id = BuiltIn.tone.rawValue
    case .pinned(let pinned): id = pinned
    }
    guard let builtIn = BuiltIn(rawValue: id) else {
      throw .unknownDevice(id: id, backend: backend)
    }
    if request.isVoiceProcessed {
      throw .noVoiceProcessing(reason: "a built-in sound does not pass through the system")
    }
    let sampleRate = request.sampleRate ?? 48_000
    let channelCount = request.channelCount ?? 2
    guard (1000...768_000).contains(sampleRate) else {
      throw .unsupportedFormat(id: id, reason: "it has no rate of \(sampleRate) Hz")
    }
    guard (1...64).contains(channelCount) else {
      throw .unsupportedFormat(id: id, reason: "it has no \(channelCount) channels")
    }
    return SyntheticSource(
      device(builtIn),
      playing: signal(builtIn, sampleRate: sampleRate, channelCount: channelCount),
      blockMilliseconds: request.blockMilliseconds, pacing: pacing, faults: faults)
  }

  /// Something that never calls: these devices do not change.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    Unchanging()
  }

  /// A built-in signal at any rate and with any number of channels.
  public static func signal(
    _ builtIn: BuiltIn, sampleRate: Int, channelCount: Int
  ) -> any SyntheticSignal {
    switch builtIn {
    case .tone: ToneSignal(sampleRate: sampleRate, channelCount: channelCount)
    case .sweep: SweepSignal(sampleRate: sampleRate, channelCount: channelCount)
    case .speech: SpeechSignal(sampleRate: sampleRate, channelCount: channelCount)
    case .silence: SilenceSignal(sampleRate: sampleRate, channelCount: channelCount)
    case .counter: CounterSignal(sampleRate: sampleRate, channelCount: channelCount)
    }
  }

  /// The device for a sound file, if the id is one of a file; its path is the id without `file:`.
  public static func fileDevice(id: String) -> (device: CaptureDevice, path: String)? {
    guard id.hasPrefix("file:") else { return nil }
    let path = String(id.dropFirst(5))
    guard !path.isEmpty else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return (CaptureDevice(backend: backend, id: id, name: name, details: "Sound file"), path)
  }

  private static func device(_ builtIn: BuiltIn) -> CaptureDevice {
    let name =
      switch builtIn {
      case .tone: "Struck notes"
      case .sweep: "Rising tone"
      case .speech: "Something like a voice"
      case .silence: "Silence"
      case .counter: "Numbered frames"
      }
    return CaptureDevice(
      backend: backend, id: builtIn.rawValue, name: name, details: "Made by the program",
      isDefault: builtIn == .tone)
  }

  private final class Unchanging: Sendable {}
}
