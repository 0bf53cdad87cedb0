import AudioToolbox

// What is declared and not simulated: every call fails as on a system that has no such codec or file
// type. Tests of the callers have scripts of their own.

/// 'fmt?', from AudioConverter.h.
private let formatNotSupported: Int32 = 0x666D_743F

@c(AudioConverterNew)
func makeConverter(
  _ source: UnsafePointer<AudioStreamBasicDescription>,
  _ destination: UnsafePointer<AudioStreamBasicDescription>,
  _ converter: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 { formatNotSupported }

@c(AudioConverterNewSpecific)
func makeCertainConverter(
  _ source: UnsafePointer<AudioStreamBasicDescription>,
  _ destination: UnsafePointer<AudioStreamBasicDescription>, _ count: UInt32,
  _ descriptions: UnsafePointer<AudioClassDescription>,
  _ converter: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 { formatNotSupported }

@c(AudioConverterDispose)
func disposeOfConverter(_ converter: OpaquePointer) -> Int32 { UnitStatus.parameter }

@c(AudioConverterGetPropertyInfo)
func converterPropertyInfo(
  _ converter: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>?,
  _ isWritable: UnsafeMutablePointer<UInt8>?
) -> Int32 { UnitStatus.parameter }

@c(AudioConverterGetProperty)
func converterProperty(
  _ converter: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutableRawPointer
) -> Int32 { UnitStatus.parameter }

@c(AudioConverterSetProperty)
func setConverterProperty(
  _ converter: OpaquePointer, _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer
) -> Int32 { UnitStatus.parameter }

@c(AudioConverterFillComplexBuffer)
func fillFromConverter(
  _ converter: OpaquePointer, _ input: @escaping AudioConverterComplexInputDataProc,
  _ context: UnsafeMutableRawPointer?, _ count: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutablePointer<AudioBufferList>,
  _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> Int32 { UnitStatus.parameter }

@c(ExtAudioFileDispose)
func disposeOfFile(_ file: OpaquePointer) -> Int32 { UnitStatus.parameter }

@c(ExtAudioFileRead)
func readFile(
  _ file: OpaquePointer, _ count: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> Int32 { UnitStatus.parameter }

@c(ExtAudioFileSeek)
func seekFile(_ file: OpaquePointer, _ frame: Int64) -> Int32 { UnitStatus.parameter }

@c(ExtAudioFileGetProperty)
func fileProperty(
  _ file: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutableRawPointer
) -> Int32 { UnitStatus.parameter }

@c(ExtAudioFileSetProperty)
func setFileProperty(
  _ file: OpaquePointer, _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer
) -> Int32 { UnitStatus.parameter }
