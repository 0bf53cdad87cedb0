import AudioToolbox
import SimulatedApple

// The functions of ExtendedAudioFile.h.

private let files = SimulatedFiles.handles

/// Implements `ExtAudioFileOpenURL`, given the path of the URL.
@c(SimulatedExtAudioFileOpen)
func openFile(
  _ path: UnsafePointer<CChar>, _ file: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 {
  do throws(FileFault) {
    let opened = unsafe try SimulatedSoundFile(path)
    unsafe file.pointee = unsafe files.add(opened)
    return 0
  } catch {
    return error.status
  }
}

@c(ExtAudioFileDispose)
func disposeOfFile(_ file: OpaquePointer) -> Int32 {
  unsafe files.perform("ExtAudioFileDispose", file) { _ in
    unsafe files.remove(file)
    return 0
  }
}

@c(ExtAudioFileRead)
func readFile(
  _ file: OpaquePointer, _ count: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> Int32 {
  unsafe files.perform("ExtAudioFileRead", file) { unsafe $0.read(count, data) }
}

@c(ExtAudioFileSeek)
func seekFile(_ file: OpaquePointer, _ frame: Int64) -> Int32 {
  unsafe files.perform("ExtAudioFileSeek", file) { $0.seek(to: frame) }
}

/// Implements `ExtAudioFileGetPropertyInfo`.
@c(SimulatedExtAudioFileGetPropertyInfo)
func filePropertyInfo(
  _ file: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>?,
  _ isWritable: UnsafeMutablePointer<UInt8>?
) -> Int32 {
  unsafe files.perform("ExtAudioFileGetPropertyInfo", file) { found in
    guard let value = found.value(of: property) else { return FileCode.invalidProperty }
    unsafe size?.pointee = UInt32(value.count)
    return 0
  }
}

@c(ExtAudioFileGetProperty)
func fileProperty(
  _ file: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutableRawPointer
) -> Int32 {
  unsafe files.perform("ExtAudioFileGetProperty", file) { found in
    guard let value = found.value(of: property) else { return FileCode.invalidProperty }
    return unsafe give(value, size, data, or: FileCode.invalidPropertySize)
  }
}

@c(ExtAudioFileSetProperty)
func setFileProperty(
  _ file: OpaquePointer, _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer
) -> Int32 {
  unsafe files.perform("ExtAudioFileSetProperty", file) { unsafe $0.set(property, data, size) }
}
