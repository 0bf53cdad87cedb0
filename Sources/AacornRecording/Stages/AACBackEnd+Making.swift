import AacornApple
import AacornCodec

extension AACBackEnd {
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
        return try AACSystemEncoder(SystemEncoderConfiguration(settings, processing))
      } catch {
        throw .backEnd(error)
      }
    }
  }
}
