public import AacornCodec

extension AACBackEnd {
  /// Whether this system has an encoder of its own.
  public static var hasSystemEncoder: Bool {
    #if canImport(AudioToolbox) && !os(watchOS)
    return true
    #else
    return false
    #endif
  }

  /// Throws what keeps it from encoding like this, as far as that can be said without an encoder.
  ///
  /// It says nothing of a configuration of this package's own, which says that itself.
  public func validate(_ configuration: AACEncoder.Configuration) throws(AACBackEndError) {
    guard case .system(let processing) = self else { return }
    guard Self.hasSystemEncoder else { throw .noSystemEncoder }
    try SystemEncoderConfiguration(configuration, processing).validate()
  }
}
