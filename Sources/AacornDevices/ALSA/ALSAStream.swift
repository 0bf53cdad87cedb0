#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornALSA

/// An open device, until it is released; for a single thread.
@safe
final class ALSAStream {
  /// The settings of the device.
  let setup: ALSASetup
  /// Whether the device is a sound card without a plug-in, which may be used with high priority.
  let isHardware: Bool
  /// The device's display name.
  let name: String
  /// The samples of the last `read` or `write`.
  let samples: UnsafeMutableRawBufferPointer

  private let library: ALSALibrary
  private let direction: DeviceDirection
  private let pcm: OpaquePointer
  private let status: OpaquePointer
  /// Converts from floating point to the device's integers, for playback.
  private var quantizer: SampleQuantizer
  private var integers: [Int32] = []

  /// Opens a device and starts capturing, or prepares it for playback.
  init(_ id: String, for requested: ALSAParameters, _ library: ALSALibrary) throws(DeviceError) {
    direction = requested.direction
    let pcm = unsafe try library.open(id, for: requested.direction)
    do throws(DeviceError) {
      let setup = unsafe try ALSASetup(of: pcm, for: requested, id: id, library)
      var status: OpaquePointer?
      _ = unsafe library.functions.pointee.pcm_status_malloc(&status)
      guard let status = unsafe status else {
        throw DeviceError.system(operation: "set up", id: id, reason: "out of memory")
      }
      self.setup = setup
      self.library = library
      unsafe self.pcm = unsafe pcm
      unsafe self.status = unsafe status
    } catch {
      _ = unsafe library.functions.pointee.pcm_close(pcm)
      throw error
    }
    quantizer = SampleQuantizer(
      bitCount: setup.integerBitCount, channelCount: setup.channelCount)
    let size = setup.blockFrameCount * setup.channelCount * setup.format.byteCount
    unsafe samples = .allocate(byteCount: size, alignment: 16)
    let type = Int(unsafe library.functions.pointee.pcm_type(pcm))
    isHardware = [AACORN_ALSA_TYPE_HW, AACORN_ALSA_TYPE_DSNOOP].contains(type)
    name = unsafe Self.name(of: pcm, library) ?? id
    let code = restart()
    if code < 0 { throw library.error(code, in: "start", of: id) }
  }

  deinit {
    _ = unsafe library.functions.pointee.pcm_close(pcm)
    unsafe library.functions.pointee.pcm_status_free(status)
    unsafe samples.deallocate()
  }

  private static func name(of pcm: OpaquePointer, _ library: ALSALibrary) -> String? {
    var info: OpaquePointer?
    guard unsafe library.functions.pointee.pcm_info_malloc(&info) >= 0 else { return nil }
    defer { unsafe library.functions.pointee.pcm_info_free(info) }
    guard unsafe library.functions.pointee.pcm_info(pcm, info) >= 0 else { return nil }
    let name = unsafe System.text(library.functions.pointee.pcm_info_get_name(info))
    return name.isEmpty ? nil : name
  }

  // MARK: State

  /// Starts capturing again from any state, or prepares the device for filling; negative on
  /// failure.
  func restart() -> Int32 {
    let code = unsafe library.functions.pointee.pcm_prepare(pcm)
    return code < 0 || direction == .playback ? code : start()
  }

  /// Starts a prepared device; negative on failure.
  func start() -> Int32 {
    unsafe library.functions.pointee.pcm_start(pcm)
  }

  /// Whether the device is prepared and not started.
  var isPrepared: Bool { state == UInt32(AACORN_ALSA_STATE_PREPARED) }

  /// Whether the device captures or plays.
  var isRunning: Bool { state == UInt32(AACORN_ALSA_STATE_RUNNING) }

  private var state: UInt32 { unsafe library.functions.pointee.pcm_state(pcm) }

  /// Wakes a sleeping device; true if it continues, nil if waking takes more time.
  func resume() -> Bool? {
    let code = unsafe library.functions.pointee.pcm_resume(pcm)
    if code < 0 { return aacorn_alsa_cause_of(Int(code)) == AACORN_ALSA_AGAIN ? nil : false }
    // Some plug-ins report success but stay asleep.
    guard isRunning else { return false }
    // The frames from before the suspension would be timed as if they came after it.
    if direction == .capture { _ = skip(available()) }
    return true
  }

  /// Waits for samples, room, an error or `wake`; returns flags such as `AACORN_ALSA_WOKEN`.
  func wait(orFor wake: Int32, milliseconds: Int) -> Int {
    Int(unsafe library.functions.pointee.wait(library.functions, pcm, wake, Int32(milliseconds)))
  }

  // MARK: Samples

  /// Returns the number of frames that can be read or written; a negative error code on failure.
  ///
  /// After an overrun the number may exceed the buffer's capacity.
  func available() -> Int {
    let error = aacorn_alsa_state_error(state)
    return error < 0 ? Int(error) : unsafe library.functions.pointee.pcm_avail(pcm)
  }

  /// Skips frames and returns the number of skipped frames.
  func skip(_ count: Int) -> Int {
    unsafe library.functions.pointee.pcm_forward(pcm, UInt(max(0, count)))
  }

  /// Reads at most a block of frames into `samples`; returns their number, or a negative error.
  func read(_ count: Int) -> Int {
    let count = min(count, setup.blockFrameCount)
    let frames = unsafe library.functions.pointee.pcm_readi(
      pcm, samples.baseAddress, UInt(max(0, count)))
    if setup.isPadded, frames > 0 {
      for offset in stride(from: 0, to: frames * setup.channelCount * 4, by: 4) {
        let padded = unsafe samples.load(fromByteOffset: offset, as: Int32.self)
        unsafe samples.storeBytes(of: padded << 8, toByteOffset: offset, as: Int32.self)
      }
    }
    return frames
  }

  /// Writes at most a block of frames, beginning at index `first`; returns their number, or a
  /// negative error.
  func write(_ frames: [Float], from first: Int, count: Int) -> Int {
    let count = max(0, min(count, setup.blockFrameCount))
    encode(frames, first * setup.channelCount..<(first + count) * setup.channelCount)
    return unsafe library.functions.pointee.pcm_writei(pcm, samples.baseAddress, UInt(count))
  }

  /// Stores samples in `samples`, in the device's format.
  private func encode(_ values: [Float], _ range: Range<Int>) {
    if setup.format == .float32 {
      for (offset, index) in range.enumerated() {
        unsafe samples.storeBytes(of: values[index], toByteOffset: offset * 4, as: Float.self)
      }
      return
    }
    integers.removeAll(keepingCapacity: true)
    quantizer.quantize(values.span.extracting(range), into: &integers)
    for (offset, value) in integers.enumerated() {
      switch setup.format {
      case .int16:
        let narrow = Int16(truncatingIfNeeded: value)
        unsafe samples.storeBytes(of: narrow, toByteOffset: offset * 2, as: Int16.self)
      case .int24:
        for byte in 0..<3 {
          let part = UInt8(truncatingIfNeeded: value >> Int32(8 * byte))
          unsafe samples.storeBytes(of: part, toByteOffset: offset * 3 + byte, as: UInt8.self)
        }
      case .int32, .float32:
        unsafe samples.storeBytes(of: value, toByteOffset: offset * 4, as: Int32.self)
      }
    }
  }

  // MARK: Times

  /// Returns the capture time of the next frame to read, if at least `count` frames can be read,
  /// and whether the time was measured well.
  func nextFrameTime(ofAtLeast count: Int) -> (time: Int64, isReliable: Bool) {
    moment().captureTime(available: count)
  }

  /// Returns the time at which the next written frame plays, with `count` frames in the device's
  /// buffer.
  func nextFrameSoundTime(after count: Int) -> Int64 {
    moment().soundTime(waiting: count)
  }

  /// Queries the device's clock and delay.
  private func moment() -> ALSAMoment {
    var moment = ALSAMoment(
      before: 0, after: 0, period: setup.period, sampleRate: setup.sampleRate)
    var code: Int32
    var attempts = 0
    // Repeat a slow query, because the thread may have been interrupted. At most three times,
    // because the query may always be slow.
    repeat {
      moment.before = System.nanoseconds
      code = unsafe library.functions.pointee.pcm_status(pcm, status)
      moment.after = System.nanoseconds
      attempts += 1
    } while attempts < 3 && moment.isInterrupted
    if code >= 0 {
      moment.delay = unsafe library.functions.pointee.pcm_status_get_delay(status)
      moment.stamp = unsafe aacorn_alsa_status_time(library.functions, status)
    }
    return moment
  }
}
#endif
