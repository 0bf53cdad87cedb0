// swift-format-ignore-file
// Part of the stub of Apple's CoreMedia: the declarations that this package uses, as Swift imports
// them. ../README.md documents the simulated behavior.

public import CoreAudioTypes
public import CoreFoundation

// CMFormatDescription.h, macOS 10.7, iOS 4.
@safe
public final class CMFormatDescription: @unchecked Sendable {
  let stream: UnsafeMutablePointer<AudioStreamBasicDescription>
  let layout: UnsafeMutableRawBufferPointer
  let cookie: UnsafeMutableRawBufferPointer

  init(
    _ stream: AudioStreamBasicDescription, layout: UnsafeRawBufferPointer,
    cookie: UnsafeRawBufferPointer
  ) {
    unsafe self.stream = .allocate(capacity: 1)
    unsafe self.stream.initialize(to: stream)
    unsafe self.layout = .allocate(byteCount: layout.count, alignment: 16)
    unsafe self.layout.copyMemory(from: layout)
    unsafe self.cookie = .allocate(byteCount: cookie.count, alignment: 16)
    unsafe self.cookie.copyMemory(from: cookie)
  }

  deinit {
    unsafe stream.deallocate()
    unsafe layout.deallocate()
    unsafe cookie.deallocate()
  }
}
public typealias CMAudioFormatDescription = CMFormatDescription

// CMFormatDescription.h, macOS 10.7, iOS 4.
public func CMAudioFormatDescriptionCreate(
  allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
  layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int,
  magicCookie: UnsafeRawPointer?, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
  unsafe formatDescriptionOut.pointee = unsafe CMFormatDescription(
    asbd.pointee, layout: UnsafeRawBufferPointer(start: layout, count: layoutSize),
    cookie: UnsafeRawBufferPointer(start: magicCookie, count: magicCookieSize))
  return 0
}

// CMFormatDescription.h, macOS 10.7, iOS 4.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? { unsafe UnsafePointer(desc.stream) }

// CMFormatDescription.h, macOS 10.7, iOS 4.
public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  unsafe sizeOut?.pointee = desc.cookie.count
  return unsafe desc.cookie.isEmpty ? nil : UnsafeRawPointer(desc.cookie.baseAddress)
}

// CMFormatDescription.h, macOS 10.7, iOS 4.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  unsafe sizeOut?.pointee = desc.layout.count
  guard let start = unsafe desc.layout.baseAddress, unsafe !desc.layout.isEmpty else { return nil }
  return unsafe UnsafePointer(start.assumingMemoryBound(to: AudioChannelLayout.self))
}
