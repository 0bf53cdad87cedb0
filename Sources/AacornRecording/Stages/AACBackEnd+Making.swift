import AacornCodec
import AacornContainers

extension AACBackEnd {
  /// Creates an encoder with these settings.
  func makeEncoder(
    _ settings: AACEncoder.Configuration
  ) throws(RecordingError) -> any AACEncoding {
    switch self {
    case .own:
      do throws(EncoderError) {
        return try AACEncoder(settings)
      } catch {
        throw .encoder(error)
      }
    case .system(let processing):
      do throws(AACBackEndError) {
        return try Self.makeSystemEncoder(settings, processing)
      } catch {
        throw .backEnd(error)
      }
    }
  }

  #if canImport(AudioToolbox) && !os(watchOS)
  private static func makeSystemEncoder(
    _ settings: AACEncoder.Configuration, _ processing: Processing
  ) throws(AACBackEndError) -> any AACEncoding {
    try AACSystemEncoder(SystemEncoderConfiguration(settings, processing))
  }
  #else
  private static func makeSystemEncoder(
    _ settings: AACEncoder.Configuration, _ processing: Processing
  ) throws(AACBackEndError) -> any AACEncoding {
    throw .noSystemEncoder
  }
  #endif
}
