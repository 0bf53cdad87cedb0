import AudioToolbox
import SimulatedApple

// The functions of ExtendedAudioFile.h.

/// Implements `ExtAudioFileOpenURL`, given the path of the URL.
@c(SimulatedExtAudioFileOpen)
func openFile(
  _ path: UnsafePointer<CChar>, _ file: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 {
  do throws(FileFault) {
    let opened = unsafe try SimulatedSoundFile(path)
    unsafe file.pointee = unsafe SimulatedFiles.handles.add(opened)
    return 0
  } catch {
    return error.status
  }
}

@c(ExtAudioFileDispose)
func disposeOfFile(_ file: OpaquePointer) -> Int32 {
  guard unsafe SimulatedFiles.handles.find(file, "ExtAudioFileDispose") != nil else {
    return FileCode.parameter
  }
  unsafe SimulatedFiles.handles.remove(file)
  return 0
}

@c(ExtAudioFileRead)
func readFile(
  _ file: OpaquePointer, _ count: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> Int32 {
  unsafe SimulatedFiles.handles.find(file, "ExtAudioFileRead")?.read(count, data)
    ?? FileCode.parameter
}

@c(ExtAudioFileSeek)
func seekFile(_ file: OpaquePointer, _ frame: Int64) -> Int32 {
  unsafe SimulatedFiles.handles.find(file, "ExtAudioFileSeek")?.seek(to: frame)
    ?? FileCode.parameter
}

/// Implements `ExtAudioFileGetPropertyInfo`.
@c(SimulatedExtAudioFileGetPropertyInfo)
func filePropertyInfo(
  _ file: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>?,
  _ isWritable: UnsafeMutablePointer<UInt8>?
) -> Int32 {
  guard let found = unsafe SimulatedFiles.handles.find(file, "ExtAudioFileGetPropertyInfo") else {
    return FileCode.parameter
  }
  guard let value = found.value(of: property) else { return FileCode.invalidProperty }
  unsafe size?.pointee = UInt32(value.count)
  unsafe isWritable?.pointee = property == kExtAudioFileProperty_ClientDataFormat ? 1 : 0
  return 0
}

@c(ExtAudioFileGetProperty)
func fileProperty(
  _ file: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutableRawPointer
) -> Int32 {
  guard let found = unsafe SimulatedFiles.handles.find(file, "ExtAudioFileGetProperty") else {
    return FileCode.parameter
  }
  guard let value = found.value(of: property) else { return FileCode.invalidProperty }
  return unsafe give(value, size, data, or: FileCode.invalidPropertySize)
}

@c(ExtAudioFileSetProperty)
func setFileProperty(
  _ file: OpaquePointer, _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer
) -> Int32 {
  unsafe SimulatedFiles.handles.find(file, "ExtAudioFileSetProperty")?.set(property, data, size)
    ?? FileCode.parameter
}
