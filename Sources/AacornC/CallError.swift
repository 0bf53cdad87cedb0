import AacornCodec
import AacornContainers
import AacornSoundFiles
import CAacorn

/// The failure of a call: a code of aacorn.h and a message.
struct CallError: Error {
  /// A negative code of aacorn.h.
  let code: Int32
  /// The message: the problem and the remedy.
  let message: String

  init(_ code: Int32, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Stores the failure in the program's struct unless that is null, and truncates a long message.
  func fill(_ error: UnsafeMutablePointer<aacorn_error>?) {
    guard let error = unsafe error else { return }
    let start = UnsafeMutableRawPointer(error)
    unsafe start.storeBytes(of: code, as: Int32.self)
    let last = MemoryLayout<aacorn_error>.stride - 1
    var offset = MemoryLayout<Int32>.stride
    for byte in message.utf8 where offset < last {
      unsafe start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
      offset += 1
    }
    unsafe start.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
  }
}

extension CallError {
  static func null(_ name: String) -> CallError {
    CallError(Status.argument, "The pointer \(name) is null.")
  }

  /// Returns a struct of settings; throws if it has a wrong size or sets unknown members.
  ///
  /// The struct begins with its size, which must be at least that of `Settings`. Members of later
  /// versions may follow if they are zero.
  static func settings<Settings>(
    _ pointer: UnsafePointer<Settings>?
  ) throws(CallError) -> Settings {
    guard let pointer = unsafe pointer else { throw .null("settings") }
    let start = unsafe UnsafeRawPointer(pointer)
    let known = MemoryLayout<Settings>.stride
    let size = unsafe start.load(as: Int.self)
    guard size >= known, size <= maxSettingsByteCount else {
      throw CallError(
        Status.settings,
        "The member size of the settings is \(size), but they have \(known) bytes: set all members "
          + "to zero, then size to the size of the struct.")
    }
    for offset in known..<size {
      let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
      if byte != 0 {
        throw CallError(
          Status.settings,
          "The settings have members that this version of the library does not know: use a later "
            + "version, or set them to zero.")
      }
    }
    return unsafe pointer.pointee
  }

  /// The maximum size of a struct of settings in any version, in bytes.
  private static let maxSettingsByteCount = 4096

  init(_ error: EncoderError, _ configuration: AACEncoder.Configuration) {
    let kind = "\(configuration.sampleRate) Hz and \(configuration.channelCount) channels"
    switch error {
    case .unsupportedSampleRate(let rate):
      self.init(
        Status.sampleRate,
        "AAC does not support a sampling rate of \(rate) Hz: choose one of "
          + Self.rates(of: .lowComplexity) + ".")
    case .unsupportedReplicationRate(let rate):
      self.init(
        Status.sampleRate,
        "HE-AAC does not support a sampling rate of \(rate) Hz: choose one of "
          + Self.rates(of: configuration.profile) + ", or AAC-LC.")
    case .unsupportedChannelCount(let count):
      self.init(Status.channels, "AAC supports 1 to 6 channels, or 8, not \(count).")
    case .unsupportedStereoProfile(let count):
      self.init(
        Status.channels, "HE-AAC v2 is for 2 channels, not \(count): choose HE-AAC, or AAC-LC.")
    case .bitrateOutOfRange(let requested, let lowest, let highest):
      self.init(
        Status.rate,
        "\(requested) bits per second are out of range: with \(kind), choose from \(lowest) to "
          + "\(highest).")
    case .signalingWithoutReplication:
      self.init(
        Status.combination,
        "AAC-LC has no band replication to signal: leave signaling 0, or choose HE-AAC.")
    case .bandwidthOutOfRange(let requested, let highest):
      self.init(
        Status.bandwidth,
        "A bandwidth of \(requested) Hz is out of range: with \(kind), choose at most \(highest).")
    case .levelOutOfRange(let level):
      self.init(Status.rate, "The level \(level) is out of range: choose from 1 to 5.")
    case .noBitrateToChange:
      self.init(Status.rate, "A variable rate has no bitrate to change: choose a constant one.")
    }
  }

  init(_ error: DecoderError) {
    switch error {
    case .unsupportedObjectType, .unsupportedChannels:
      self.init(Status.unsupported, error.message)
    case .invalidConfiguration: self = .withoutConfiguration
    }
  }

  /// The failure for an input with a missing or invalid configuration.
  static var withoutConfiguration: CallError {
    CallError(Status.config, DecoderError.invalidConfiguration.message)
  }

  private static func rates(of profile: AACEncoder.Profile) -> String {
    profile.sampleRates.map { "\($0)" }.joined(separator: ", ")
  }

  init(_ error: ContainerError) {
    self.init(Status.container, error.message)
  }

  /// Creates the failure for an input that cannot be decoded.
  init(_ error: CodedAudioError) {
    switch error {
    case .decoder(let error): self.init(error)
    case .file(let error): self.init(error)
    }
  }

  private init(_ error: CodedFileError) {
    switch error {
    case .notAAC(.wav), .notAAC(.aiff), .notAAC(.caf):
      self.init(Status.notAAC, "The input is a file of samples, without AAC.")
    case .notAAC:
      self.init(Status.notAAC, "The input contains no recognizable AAC.")
    case .noAudioTrack(let count):
      self.init(
        Status.notAAC,
        count == 0
          ? "The input has no track with AAC."
          : "The number of AAC tracks in the input is \(count): choose one of them.")
    case .unsupportedCodec:
      self.init(Status.unsupported, "The input contains audio in another format, not AAC.")
    case .unfinished:
      self.init(
        Status.unfinished,
        "The file was not completed, or is cut off: the table of its frames is missing.")
    case .requiresSeeking:
      self.init(
        Status.moment,
        "The file has its tables after the audio: push all of it and finish before you pull.")
    case .encrypted: self.init(Status.unsupported, "The input is encrypted.")
    case .noAudio: self.init(Status.notAAC, "The input contains no audio.")
    case .invalidConfiguration: self = .withoutConfiguration
    case .pieceOfFragments(let isBeginning):
      self.init(
        Status.unfinished,
        isBeginning
          ? "The input is only an initialization segment: push the media segments as well."
          : "The input is a media segment: push the initialization segment of its stream first.")
    }
  }
}

/// The result codes of aacorn.h as `Int32`.
enum Status {
  static var ok: Int32 { Int32(AACORN_OK) }
  static var some: Int32 { Int32(AACORN_SOME) }
  static var argument: Int32 { Int32(AACORN_ERROR_ARGUMENT) }
  static var settings: Int32 { Int32(AACORN_ERROR_SETTINGS) }
  static var moment: Int32 { Int32(AACORN_ERROR_MOMENT) }
  static var size: Int32 { Int32(AACORN_ERROR_SIZE) }
  static var sampleRate: Int32 { Int32(AACORN_ERROR_SAMPLE_RATE) }
  static var channels: Int32 { Int32(AACORN_ERROR_CHANNELS) }
  static var rate: Int32 { Int32(AACORN_ERROR_RATE) }
  static var bandwidth: Int32 { Int32(AACORN_ERROR_BANDWIDTH) }
  static var combination: Int32 { Int32(AACORN_ERROR_COMBINATION) }
  static var container: Int32 { Int32(AACORN_ERROR_CONTAINER) }
  static var write: Int32 { Int32(AACORN_ERROR_WRITE) }
  static var notAAC: Int32 { Int32(AACORN_ERROR_NOT_AAC) }
  static var unsupported: Int32 { Int32(AACORN_ERROR_UNSUPPORTED) }
  static var config: Int32 { Int32(AACORN_ERROR_CONFIG) }
  static var unfinished: Int32 { Int32(AACORN_ERROR_UNFINISHED) }
}
