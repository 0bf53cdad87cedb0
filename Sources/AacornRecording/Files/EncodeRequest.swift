import AacornCodec
package import AacornContainers
package import AacornSignal
import AacornSoundFiles
import AacornSystem

/// The input, the output and the options of encoding a file.
package struct EncodeRequest: Sendable {
  package let origin: SoundOrigin
  /// The path of the output; `-` for standard output.
  package let output: String
  package let format: CodedFileWriter.Format
  /// The format of samples without a header; nil if there is one.
  package var rawFormat: PCMFormat?
  /// The processing and coding of the audio, and its tags.
  ///
  /// Without a `threadCount`, one thread encodes.
  package var options = AACFile.Configuration()
  /// Whether the output's folder is created if it is missing.
  package var makesFolders = false
  /// Whether an existing file is kept, and counts as the output if it has exactly its bytes.
  package var acceptsEqualOutput = false
  /// Whether the digest of the input is computed while it is read.
  package var digestsInput = false

  /// Creates a request with options that suit the input.
  package init(
    _ origin: SoundOrigin, to output: String, _ format: CodedFileWriter.Format
  ) {
    self.origin = origin
    self.output = output
    self.format = format
  }
}

/// The source of the audio to encode.
package enum SoundOrigin: Equatable, Sendable {
  /// The file at a path.
  case file(String)
  /// Standard input.
  case standardInput
  /// The built-in tone, with its duration.
  case tone(milliseconds: Int)

  /// The name in messages.
  package var name: String {
    switch self {
    case .file(let path): path
    case .standardInput: "standard input"
    case .tone: "tone"
    }
  }
}

extension AACFile.Configuration {
  /// The profile; nil if it depends on the bitrate.
  ///
  /// Without a requested profile, options that only AAC-LC supports imply AAC-LC.
  fileprivate var wantedProfile: AACEncoder.Profile? {
    profile ?? (bandwidth != nil || isMPEG2 ? .lowComplexity : nil)
  }

  /// The signaling of HE-AAC; nil if another option implies AAC-LC.
  fileprivate var wantedSignaling: AudioSpecificConfig.Signaling? {
    profile == nil && wantedProfile != nil ? nil : signaling
  }
}

/// The settings for one input, derived from the options and the input's properties.
struct EncodeSettings {
  let configuration: AACEncoder.Configuration
  let conversion: AudioConversion
  /// The effects for the converted samples.
  let effects: [EffectDescription]
  /// Warnings about decisions that were not requested, as messages.
  private(set) var warnings: [String] = []

  /// Derives all settings, or throws the reason why that is impossible.
  init(
    _ options: AACFile.Configuration, for info: PCMFileInfo, name: String
  ) throws(AACFileError) {
    do throws(AudioConversion.Failure) {
      conversion = try AudioConversion(
        from: info.format, byteCount: info.dataByteCount, sampleRate: options.sampleRate,
        channelCount: options.channelCount)
    } catch {
      throw AACFileError(error, name: name)
    }
    let (rate, channelCount) = (conversion.sampleRate, conversion.channelCount)
    var configuration = AACEncoder.Configuration(
      sampleRate: rate, channelCount: channelCount, rateControl: options.rateControl,
      effort: options.effort, profile: options.wantedProfile, signaling: options.wantedSignaling)
    configuration.bandwidth = options.bandwidth
    configuration.isMPEG2 = options.isMPEG2
    self.configuration = configuration
    effects = options.effects
    let given = info.format.sampleRate
    if options.sampleRate == nil && rate != given {
      warnings.append(
        "“\(displayed(name))” has \(QuantityText.frequency(given)), which AAC does not support; "
          + "it was converted to \(QuantityText.frequency(rate)).")
    }
  }
}

/// The target loudness of a file, and the limit of its peaks.
public struct LoudnessTarget: Equatable, Sendable {
  /// The loudness in LUFS: −16 for podcasts, −23 for broadcasting (EBU R 128), −14 for music on
  /// streaming services.
  public var loudness: Double
  /// The maximum true peak in dBTP.
  public var ceiling: Double

  /// The default ceiling in dBTP: lossy coding may raise peaks, which must stay below full scale.
  public static let defaultCeiling = -1.0

  /// Creates a target with a loudness in LUFS and a ceiling in dBTP.
  public init(_ loudness: Double, ceiling: Double = LoudnessTarget.defaultCeiling) {
    self.loudness = loudness
    self.ceiling = ceiling
  }

  /// The problem and the recovery suggestion, as messages; nil if the target is valid.
  package var validationError: (problem: String, advice: String)? {
    if !(-70...(-5)).contains(loudness) {
      let number = QuantityText.fixed(loudness, decimals: 1)
      return ("A loudness of \(number) LUFS is out of range.", "Choose -70 to -5, such as -16.")
    }
    if !(-20...0).contains(ceiling) {
      let number = QuantityText.fixed(ceiling, decimals: 1)
      return ("A true peak of \(number) dBTP is out of range.", "Choose -20 to 0, such as -1.")
    }
    return nil
  }
}
