/// What can be fuzzed; the environment variable AACORN_FUZZ_TARGET chooses one by its name.
enum FuzzTarget: String, CaseIterable {
  case adts
  case latm
  case adif
  case configuration
  case accessUnit = "access-unit"
  case mp4
  case pcmFile = "pcm-file"
  case inspector
  case resampler
  case encoder

  /// Feeds one input to the target; a crash is a finding.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .adts: fuzzADTS(bytes)
    case .latm: fuzzLATM(bytes)
    case .adif: fuzzADIF(bytes)
    case .configuration: fuzzConfiguration(bytes)
    case .accessUnit: fuzzAccessUnit(bytes)
    case .mp4: fuzzMP4(bytes)
    case .pcmFile: fuzzPCMFile(bytes)
    case .inspector: fuzzInspector(bytes)
    case .resampler: fuzzResampler(bytes)
    case .encoder: fuzzEncoder(bytes)
    }
  }
}

/// Stops with a message if something that must hold for every input does not.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
