import CAacorn

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
