#if os(Linux)
import CAacornALSA
import Foundation

@testable import AacornDevices

/// The card and device that the program examines.
private nonisolated(unsafe) var (card, device, stream) = (0, 0, 0)

private let hints: [[String: String]] = [
  ["DESC": "No name"], ["NAME": "default"], ["NAME": "sysdefault"], ["NAME": "null"],
  ["NAME": "front:CARD=PCH"], ["NAME": "upmix"], ["NAME": "jack"], ["NAME": "silence"],
  ["NAME": "pulse", "DESC": "Sound\nServer"], ["NAME": "recorder", "DESC": "A file"],
  ["NAME": "missing"], ["NAME": "speakers", "IOID": "Output"], ["NAME": "mic", "IOID": "Input"],
]

/// The texts of the configuration; nil for an entry that is not a text.
private let entries: [(key: String, text: StaticString?)] = [
  ("pcm.upmix.@args", nil), ("pcm.pulse.@args", nil), ("pcm.recorder.type", "file"),
  ("pcm.jack.type", "jack"), ("pcm.silence.type", "null"), ("pcm.null.type", "null"),
  ("pcm.upmix.type", "plug"), ("pcm.pulse.type", "pulse"), ("pcm.mic.type", "plug"),
]

private let make: @convention(c) (UnsafeMutablePointer<OpaquePointer?>?) -> Int32 = {
  ALSAComputer.objectCount += 1
  $0?.pointee = OpaquePointer(bitPattern: 1)
  return 0
}

private let release: @convention(c) (OpaquePointer?) -> Void = { _ in
  ALSAComputer.objectCount -= 1
}

/// The sound cards and the configuration of a computer, as alsa-lib lists them.
///
/// Each device is an `ALSACard` of its name. Only one test may use the computer at a time.
enum ALSAComputer {
  /// The numbers of the cards: 0 has the devices 0 and 3, and 2 has the device 1.
  nonisolated(unsafe) static var cards: [Int32] = []
  /// The number of objects that the program has not freed.
  nonisolated(unsafe) fileprivate(set) static var objectCount = 0
  /// The number of times that the program has discarded the configuration.
  nonisolated(unsafe) fileprivate(set) static var discardCount = 0
  static let library = ALSALibrary(
    functions: {
      let table = UnsafeMutablePointer<aacorn_alsa_functions>.allocate(capacity: 1)
      table.initialize(to: ALSALibrary.simulated.functions.pointee)
      addConfiguration(to: &table.pointee)
      addCards(to: &table.pointee)
      return UnsafePointer(table)
    }())

  private static func addConfiguration(to table: inout aacorn_alsa_functions) {
    table.config_update_free_global = {
      ALSAComputer.discardCount += 1
      return 0
    }
    (table.config_update_ref, table.config_unref) = (make, release)
    table.config_search = { _, key, found in
      let key = key.map { String(cString: $0) }
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return -ENOENT }
      found?.pointee = OpaquePointer(bitPattern: index + 1)
      return 0
    }
    table.config_get_string = { entry, text in
      guard let found = entries[Int(bitPattern: entry) - 1].text else { return -EINVAL }
      text?.pointee = staticText(found)
      return 0
    }
    table.device_name_hint = { _, _, list in
      ALSAComputer.objectCount += 1
      let entries = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(
        capacity: hints.count + 1)
      for index in 0...hints.count {
        let number = index < hints.count ? index + 1 : 0
        (entries + index).initialize(to: UnsafeMutableRawPointer(bitPattern: number))
      }
      list?.pointee = entries
      return 0
    }
    table.device_name_free_hint = { list in
      ALSAComputer.objectCount -= 1
      list?.deallocate()
      return 0
    }
    table.device_name_get_hint = { hint, key in
      key.flatMap { hints[Int(bitPattern: hint) - 1][String(cString: $0)] }.flatMap { strdup($0) }
    }
  }

  private static func addCards(to table: inout aacorn_alsa_functions) {
    table.card_next = { number in
      number?.pointee = ALSAComputer.cards.first { $0 > number?.pointee ?? 0 } ?? -1
      return 0
    }
    table.ctl_open = { control, name, _ in
      let name = name.map { String(cString: $0) }
      guard let number = ALSAComputer.cards.first(where: { "hw:\($0)" == name }) else {
        return -ENOENT
      }
      card = Int(number)
      return make(control)
    }
    table.ctl_close = { _ in
      ALSAComputer.objectCount -= 1
      return 0
    }
    (table.ctl_card_info_malloc, table.ctl_card_info_free) = (make, release)
    table.ctl_card_info = { _, _ in 0 }
    table.ctl_card_info_get_id = { _ in staticText(card == 0 ? "PCH" : "USB") }
    table.ctl_card_info_get_name = { _ in staticText(card == 0 ? "Board" : "Interface") }
    table.ctl_pcm_next_device = { _, number in
      number?.pointee = (card == 0 ? [0, 3] : [1]).first { $0 > number?.pointee ?? 0 } ?? -1
      return 0
    }
    (table.pcm_info_malloc, table.pcm_info_free) = (make, release)
    table.pcm_info_set_device = { device = Int($1) }
    table.pcm_info_set_subdevice = { _, _ in }
    table.pcm_info_set_stream = { stream = Int($1) }
    // Device 1 only captures, and device 3 only plays.
    table.ctl_pcm_info = { _, _ in
      let missing = [1: AACORN_ALSA_STREAM_PLAYBACK, 3: AACORN_ALSA_STREAM_CAPTURE][device]
      return stream == missing ? -ENOENT : 0
    }
    table.pcm_info_get_name = { _ in
      staticText(device == 0 ? "Analog" : device == 1 ? "Microphone" : "HDMI")
    }
    table.pcm_info = { _, _ in -ENOSYS }
    // Other tests need a computer without a default device.
    table.pcm_open = { pcm, name, direction, mode in
      let isDefault = name.map { String(cString: $0) } == "default"
      return ALSALibrary.simulated.functions.pointee.pcm_open(
        pcm, isDefault ? staticText("the default") : name, direction, mode)
    }
  }
}
#endif
