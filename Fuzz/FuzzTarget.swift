/// A fuzz target; the environment variable AACORN_FUZZ_TARGET selects one by name.
enum FuzzTarget: String, CaseIterable {
  case adts
  case latm
  case adif
  case configuration
  case accessUnit = "access-unit"
  case stereo
  case mp4
  case decoder
  case codedSound = "coded-sound"
  case transportStream = "transport-stream"
  case codedFile = "coded-file"
  case pcmFile = "pcm-file"
  case tags
  case buffer
  case inspector
  case resampler
  case encoder
  case repair
  case library
  case extremes
  case rtmp
  case icecast
  case http
  case connection
  case request
  case address
  case gaps
  case playlist
  case names
  case arguments
  case manifest

  /// Whether an input must take time in proportion to its size.
  ///
  /// The other targets process sound or whole files several times. Tags have their own budget,
  /// because few bytes are the choices for a large file.
  private var hasTimeBudget: Bool {
    switch self {
    case .accessUnit, .stereo, .decoder, .codedSound, .codedFile, .tags, .buffer, .inspector,
      .resampler, .encoder, .repair, .library, .extremes:
      false
    default: true
    }
  }

  /// Runs the target with one input.
  ///
  /// A crash is a finding, and so is an input that takes too long.
  func run(_ bytes: [UInt8]) {
    if hasTimeBudget {
      TimeBudget.run(bytes.count) { work(bytes) }
    } else {
      work(bytes)
    }
  }

  private func work(_ bytes: [UInt8]) {
    switch self {
    case .adts: fuzzADTS(bytes)
    case .latm: fuzzLATM(bytes)
    case .adif: fuzzADIF(bytes)
    case .configuration: fuzzConfiguration(bytes)
    case .accessUnit: fuzzAccessUnit(bytes)
    case .stereo: fuzzStereo(bytes)
    case .mp4: fuzzMP4(bytes)
    case .decoder: fuzzDecoder(bytes)
    case .codedSound: fuzzCodedSound(bytes)
    case .transportStream: fuzzTransportStream(bytes)
    case .codedFile: fuzzCodedFile(bytes)
    case .pcmFile: fuzzPCMFile(bytes)
    case .tags: fuzzTags(bytes)
    case .buffer: fuzzBuffer(bytes)
    case .inspector: fuzzInspector(bytes)
    case .resampler: fuzzResampler(bytes)
    case .encoder: fuzzEncoder(bytes)
    case .repair: fuzzRepair(bytes)
    case .library: fuzzLibrary(bytes)
    case .extremes: fuzzExtremes(bytes)
    case .rtmp: fuzzRTMP(bytes)
    case .icecast: fuzzIcecast(bytes)
    case .http: fuzzHTTP(bytes)
    case .connection: fuzzConnection(bytes)
    case .request: fuzzRequest(bytes)
    case .address: fuzzAddress(bytes)
    case .gaps: fuzzGaps(bytes)
    case .playlist: fuzzPlaylist(bytes)
    case .names: fuzzNames(bytes)
    case .arguments: fuzzArguments(bytes)
    case .manifest: fuzzManifest(bytes)
    }
  }
}

/// Stops with a message if a condition that must be true for all inputs is false.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
