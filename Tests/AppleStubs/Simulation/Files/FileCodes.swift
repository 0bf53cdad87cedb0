/// Error codes of the calls for files, from CoreAudioBaseTypes.h, AudioFile.h and
/// ExtendedAudioFile.h.
package enum FileCode {
  package static let notFound: Int32 = -43
  package static let noPermission: Int32 = -54
  package static let parameter: Int32 = -50
  package static let unsupportedFileType = status("typ?")
  package static let unsupportedDataFormat = status("fmt?")
  package static let invalidFile = status("dta?")
  package static let unspecified = status("wht?")
  package static let invalidProperty: Int32 = -66_561
  package static let invalidPropertySize: Int32 = -66_562
  package static let nonPCMClientFormat: Int32 = -66_563
  package static let invalidOperationOrder: Int32 = -66_565
  package static let invalidDataFormat: Int32 = -66_566
  package static let invalidSeek: Int32 = -66_568
}
