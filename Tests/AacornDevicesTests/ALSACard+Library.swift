#if os(Linux)
import AacornSystem
import CAacornALSA
import Foundation

@testable import AacornDevices

/// The settings that a program passes to alsa-lib in objects of the library.
private final class Parameters {
  /// The card that this object has been used with, which counts it.
  var card: ALSACard? { didSet { if oldValue == nil { card?.countObject(1) } } }
  /// The names of the settings that have been made.
  var settings: Set<String> = []
  var bufferCount = 0
  var periodCount = 0
  var minAvailable = 1
  var startThreshold = 1
  var stopThreshold: Int?
  var status: (time: Int64, delay: Int) = (0, 0)
}

/// Returns a pointer that a caller of alsa-lib must not omit.
private func required<Pointer>(_ pointer: Pointer?) -> Pointer {
  guard let pointer else { fatalError("A call of alsa-lib has a null pointer.") }
  return pointer
}

/// Returns a text as the library returns texts.
func staticText(_ text: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

private func card(_ pcm: OpaquePointer?) -> ALSACard {
  Unmanaged<ALSACard>.fromOpaque(UnsafeRawPointer(required(pcm))).takeUnretainedValue()
}

private func parameters(_ pointer: OpaquePointer?) -> Parameters {
  Unmanaged<Parameters>.fromOpaque(UnsafeRawPointer(required(pointer))).takeUnretainedValue()
}

extension ALSALibrary {
  /// A library whose devices are the cards of the tests.
  static let simulated = ALSALibrary(functions: UnsafePointer(functions))

  private nonisolated(unsafe) static let functions: UnsafeMutablePointer<aacorn_alsa_functions> = {
    let table = UnsafeMutablePointer<aacorn_alsa_functions>.allocate(capacity: 1)
    table.initialize(to: aacorn_alsa_functions())
    addCalls(to: &table.pointee)
    addParameters(to: &table.pointee)
    addSoftwareParameters(to: &table.pointee)
    return table
  }()

  private static func addCalls(to table: inout aacorn_alsa_functions) {
    table.strerror = { UnsafePointer(strerror(-$0)) }
    table.config_update_free_global = { 0 }
    table.config_update_ref = { _ in -ENOENT }
    table.card_next = { number in
      number?.pointee = -1
      return 0
    }
    table.pcm_open = { pcm, name, direction, _ in
      guard let name, let card = ALSACard.named(String(cString: name)) else { return -ENOENT }
      let code = card.open(capturing: direction == UInt32(AACORN_ALSA_STREAM_CAPTURE))
      if code == 0 { pcm?.pointee = OpaquePointer(Unmanaged.passRetained(card).toOpaque()) }
      return code
    }
    table.pcm_close = { pcm in
      card(pcm).close()
      Unmanaged<ALSACard>.fromOpaque(UnsafeRawPointer(required(pcm))).release()
      return 0
    }
    table.pcm_type = { UInt32(card($0).type) }
    table.pcm_state = { pcm in card(pcm).call { card(pcm).currentState } }
    table.wait = { _, pcm, wake, milliseconds in
      if let pcm { return card(pcm).wait(orFor: wake, milliseconds: Int(milliseconds)) }
      let isWoken = System.wait(
        for: wake, writing: false, orFor: nil, milliseconds: Int(milliseconds))
      return isWoken ? Int32(AACORN_ALSA_WOKEN) : 0
    }
    table.pcm_prepare = { pcm in card(pcm).call { card(pcm).prepare() } }
    table.pcm_start = { pcm in card(pcm).call { card(pcm).start() } }
    table.pcm_resume = { pcm in card(pcm).call { card(pcm).resume() } }
    table.pcm_avail = { pcm in card(pcm).call { card(pcm).countAvailable() } }
    table.pcm_forward = { pcm, count in card(pcm).call { card(pcm).forward(Int(count)) } }
    table.pcm_readi = { pcm, bytes, count in
      card(pcm).call { card(pcm).read(Int(count), into: required(bytes)) }
    }
    table.pcm_writei = { pcm, bytes, count in
      card(pcm).call { card(pcm).write(Int(count), from: required(bytes)) }
    }
    table.pcm_status = { pcm, status in
      parameters(status).card = card(pcm)
      parameters(status).status = card(pcm).call { card(pcm).status }
      return 0
    }
    table.pcm_status_get_delay = { parameters($0).status.delay }
    table.pcm_status_get_htstamp = { status, time in
      let nanoseconds = Int(parameters(status).status.time)
      time?.pointee = timespec(
        tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }
    // The caller frees the list, which begins with its length.
    table.pcm_get_chmap = { pcm in
      let positions = card(pcm).positions
      guard !positions.isEmpty, let list = malloc(4 * (positions.count + 1)) else { return nil }
      for (index, value) in ([UInt32(positions.count)] + positions).enumerated() {
        list.storeBytes(of: value, toByteOffset: 4 * index, as: UInt32.self)
      }
      return OpaquePointer(list)
    }
    table.pcm_info = { pcm, info in
      parameters(info).card = card(pcm)
      return 0
    }
    table.pcm_info_get_name = { _ in staticText("Simulated card") }
  }

  private static func addParameters(to table: inout aacorn_alsa_functions) {
    let allocate: @convention(c) (UnsafeMutablePointer<OpaquePointer?>?) -> Int32 = {
      $0?.pointee = OpaquePointer(Unmanaged.passRetained(Parameters()).toOpaque())
      return 0
    }
    let free: @convention(c) (OpaquePointer?) -> Void = { pointer in
      guard let pointer else { return }
      parameters(pointer).card?.countObject(-1)
      Unmanaged<Parameters>.fromOpaque(UnsafeRawPointer(pointer)).release()
    }
    table.pcm_hw_params_malloc = allocate
    table.pcm_sw_params_malloc = allocate
    table.pcm_status_malloc = allocate
    table.pcm_info_malloc = allocate
    table.pcm_hw_params_free = free
    table.pcm_sw_params_free = free
    table.pcm_status_free = free
    table.pcm_info_free = free
    table.pcm_hw_params_any = { pcm, object in
      parameters(object).card = card(pcm)
      parameters(object).settings = []
      parameters(object).periodCount = card(pcm).step
      return 0
    }
    table.pcm_hw_params_set_rate_resample = { _, object, isResampling in
      parameters(object).settings.insert(isResampling == 0 ? "native" : "resampled")
      return 0
    }
    table.pcm_hw_params_set_access = { _, object, access in
      parameters(object).settings.insert("access")
      return access == UInt32(AACORN_ALSA_ACCESS_RW_INTERLEAVED) ? 0 : -EINVAL
    }
    table.pcm_hw_params_test_format = { pcm, _, format in
      let card = card(pcm)
      return card.otherFormats.union([card.format]).contains(Int(format)) ? 0 : -EINVAL
    }
    table.pcm_hw_params_set_format = { pcm, object, format in
      parameters(object).settings.insert("format")
      if !card(pcm).otherFormats.isEmpty { card(pcm).format = Int(format) }
      return 0
    }
    table.pcm_hw_params_get_sbits = { object in
      guard let card = parameters(object).card else { return -EINVAL }
      return card.format == AACORN_ALSA_FORMAT_S16 ? 16 : Int32(card.significantBitCount)
    }
    table.pcm_hw_params_get_channels_min = {
      let card = parameters($0).card
      $1?.pointee = UInt32(card?.claimedChannels?.lowerBound ?? card?.channelCount ?? 0)
      return 0
    }
    table.pcm_hw_params_get_channels_max = {
      let card = parameters($0).card
      $1?.pointee = UInt32(card?.claimedChannels?.upperBound ?? card?.channelCount ?? 0)
      return 0
    }
    table.pcm_hw_params_test_channels = { pcm, _, count in
      let own = card(pcm).channelCount
      return (card(pcm).claimedChannels ?? own...own).contains(Int(count)) ? 0 : -EINVAL
    }
    table.pcm_hw_params_set_channels = { _, object, _ in
      parameters(object).settings.insert("channels")
      return 0
    }
    table.pcm_hw_params_set_rate_near = { pcm, object, rate, _ in
      parameters(object).settings.insert("rate")
      let (wanted, range) = (Int(required(rate).pointee), card(pcm).claimedRates)
      rate?.pointee = UInt32(
        range.map { min(max(wanted, $0.lowerBound), $0.upperBound) } ?? card(pcm).rate)
      return 0
    }
    table.pcm_hw_params_set_period_size_near = { pcm, object, count, _ in
      parameters(object).settings.insert("period")
      parameters(object).periodCount = max(Int(required(count).pointee), card(pcm).step)
      return 0
    }
    table.pcm_hw_params_get_period_size = { object, count, _ in
      count?.pointee = UInt(parameters(object).periodCount)
      return 0
    }
    table.pcm_hw_params_set_buffer_size_near = { pcm, object, count in
      parameters(object).bufferCount = min(
        max(32, 2 * card(pcm).step, Int(required(count).pointee)), card(pcm).maxBuffer)
      return 0
    }
    table.pcm_hw_params_get_buffer_size = { object, count in
      count?.pointee = UInt(parameters(object).bufferCount)
      return 0
    }
    table.pcm_hw_params = { pcm, object in
      let settings = parameters(object).settings
      guard settings.isSuperset(of: ["access", "format", "channels", "rate"]),
        settings.isDisjoint(with: card(pcm).rejectedSettings)
      else { return -EINVAL }
      let count = parameters(object).bufferCount
      card(pcm).call { card(pcm).configure(bufferCount: count) }
      return 0
    }
  }

  private static func addSoftwareParameters(to table: inout aacorn_alsa_functions) {
    table.pcm_sw_params_current = { pcm, object in
      parameters(object).card = card(pcm)
      return 0
    }
    table.pcm_sw_params_set_avail_min = { _, object, count in
      parameters(object).minAvailable = Int(count)
      return 0
    }
    table.pcm_sw_params_set_tstamp_mode = { _, object, mode in
      if mode == UInt32(AACORN_ALSA_TSTAMP_ENABLE) { parameters(object).settings.insert("stamps") }
      return 0
    }
    table.pcm_sw_params_set_tstamp_type = { _, object, type in
      let isMonotonic = type == UInt32(AACORN_ALSA_TSTAMP_TYPE_MONOTONIC)
      if isMonotonic { parameters(object).settings.insert("monotonic") }
      return 0
    }
    table.pcm_sw_params_set_start_threshold = { _, object, count in
      parameters(object).startThreshold = Int(count)
      return 0
    }
    table.pcm_sw_params_set_stop_threshold = { _, object, count in
      parameters(object).stopThreshold = Int(count)
      return 0
    }
    table.pcm_sw_params_get_boundary = { _, count in
      count?.pointee = 1 << 40
      return 0
    }
    table.pcm_sw_params = { pcm, object in
      let settings = parameters(object)
      // The other settings would be undefined, or times would be missing or of another clock.
      if settings.card == nil || settings.settings.count < 2 { return -EINVAL }
      card(pcm).call {
        card(pcm).configure(
          minAvailable: settings.minAvailable, startThreshold: settings.startThreshold,
          stopThreshold: settings.stopThreshold)
      }
      return 0
    }
  }
}
#endif
