#if os(Linux)
import AacornSystem
import CAacornALSA

/// The devices of ALSA for one direction.
///
/// There are three kinds: `default`; the devices of the cards; and the devices that the system's or
/// user's configuration adds. Of the many names that ALSA generates for each card, only the names
/// of its hardware devices (`hw:`) are listed.
struct ALSADevices {
  let library: ALSALibrary
  let direction: DeviceDirection

  /// The devices, `default` first, without channel counts and sample rates.
  ///
  /// None is opened: that would wake the hardware, and other programs could not open the device at
  /// that moment. So names of sound servers, which may not run, are omitted, and without a card
  /// also names of cards.
  var all: [Device] {
    let devices = candidates
    let hasCard = devices.contains(where: isOfCard)
    return devices.filter { device in
      switch type(of: device.id) {
      case nil: !device.isDefault || hasCard
      case "hw": hasCard
      case "pulse", "pipewire": device.isDefault && hasCard
      default: true
      }
    }
  }

  /// The devices that can be opened, including devices in use by other programs, with their channel
  /// counts and sample rates.
  var opened: [Device] {
    candidates.compactMap { device in
      if hasSideEffects(device.id) { return device }
      guard let properties = ALSAProbe.properties(at: device.id, for: direction, library) else {
        return isOfCard(device) ? device : nil
      }
      var device = device
      device.channelCount = properties.channelCount
      device.sampleRate = properties.sampleRate
      return device
    }
  }

  private var candidates: [Device] {
    var devices = [Device(backend: .alsa, id: "default", name: "Default", isDefault: true)]
    if type(of: "default") == "null" { devices = [] }
    for card in library.cards { devices += self.devices(ofCard: card) }
    for (id, details) in configuredNames {
      devices.append(Device(backend: .alsa, id: id, name: id, details: details))
    }
    return devices
  }

  // MARK: Cards

  private func isOfCard(_ device: Device) -> Bool { device.id.hasPrefix("hw:") }

  private func devices(ofCard card: Int32) -> [Device] {
    let alsa = unsafe library.functions.pointee
    var control: OpaquePointer?
    var cardInfo: OpaquePointer?
    var info: OpaquePointer?
    guard unsafe alsa.ctl_open(&control, "hw:\(card)", 0) >= 0 else { return [] }
    defer { _ = unsafe alsa.ctl_close(control) }
    _ = unsafe alsa.ctl_card_info_malloc(&cardInfo)
    _ = unsafe alsa.pcm_info_malloc(&info)
    defer {
      unsafe alsa.ctl_card_info_free(cardInfo)
      unsafe alsa.pcm_info_free(info)
    }
    guard unsafe alsa.ctl_card_info(control, cardInfo) >= 0 else { return [] }
    let cardID = unsafe System.text(alsa.ctl_card_info_get_id(cardInfo))
    let cardName = unsafe System.text(alsa.ctl_card_info_get_name(cardInfo))
    var devices: [Device] = []
    var number: Int32 = -1
    while unsafe alsa.ctl_pcm_next_device(control, &number) >= 0, number >= 0 {
      unsafe alsa.pcm_info_set_device(info, UInt32(number))
      unsafe alsa.pcm_info_set_subdevice(info, 0)
      unsafe alsa.pcm_info_set_stream(info, direction.number)
      guard unsafe alsa.ctl_pcm_info(control, info) >= 0 else { continue }
      // A card's name survives a restart of the machine; its number may not.
      let id = "hw:CARD=\(cardID),DEV=\(number)"
      let name = unsafe System.text(alsa.pcm_info_get_name(info))
      devices.append(Device(backend: .alsa, id: id, name: cardName, details: name))
    }
    return devices
  }

  // MARK: Configuration

  /// The configured names of devices, with their descriptions.
  private var configuredNames: [(id: String, details: String)] {
    let alsa = unsafe library.functions.pointee
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard unsafe alsa.device_name_hint(-1, "pcm", &hints) >= 0, let hints = unsafe hints else {
      return []
    }
    defer { _ = unsafe alsa.device_name_free_hint(hints) }
    var names: [(id: String, details: String)] = []
    var next = unsafe hints
    while let hint = unsafe next.pointee {
      unsafe next += 1
      guard let id = unsafe text(hint, "NAME"), unsafe text(hint, "IOID") != direction.oppositeHint
      else { continue }
      // ALSA has generated names with colons for the cards, which are listed separately.
      if id == "default" || id == "sysdefault" || id.contains(":") || !isDevice(id) { continue }
      let details = unsafe text(hint, "DESC") ?? ""
      names.append((id, details.split(whereSeparator: \.isNewline).joined(separator: ", ")))
    }
    return names
  }

  private func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let text = unsafe library.functions.pointee.device_name_get_hint(hint, key) else {
      return nil
    }
    defer { unsafe aacorn_alsa_free(text) }
    return unsafe String(cString: text)
  }

  /// Whether a name belongs to a device, rather than to a filter whose argument is another device.
  private func isDevice(_ id: String) -> Bool {
    // Names with arguments are filters, except the sound servers' names. JACK prints errors to the
    // terminal if it is not running.
    if ["pulse", "pipewire"].contains(id) { return true }
    return !["null", "jack"].contains(type(of: id)) && value(of: "pcm.\(id).@args") == nil
  }

  /// Whether opening a device has side effects: `file` empties the file that it writes.
  func hasSideEffects(_ id: String) -> Bool { type(of: id) == "file" }

  private func type(of id: String) -> String? {
    value(of: "pcm.\(id).type")
  }

  /// Returns a text of the configuration; "" if the value is not a text, nil if it is missing.
  private func value(of key: String) -> String? {
    let alsa = unsafe library.functions.pointee
    var top: OpaquePointer?
    var entry: OpaquePointer?
    guard unsafe alsa.config_update_ref(&top) >= 0 else { return nil }
    defer { unsafe alsa.config_unref(top) }
    guard unsafe alsa.config_search(top, key, &entry) >= 0 else { return nil }
    var text: UnsafePointer<CChar>?
    guard unsafe alsa.config_get_string(entry, &text) >= 0 else { return "" }
    return unsafe System.text(text)
  }
}

/// Opens a device briefly to check whether it is present and to read its properties.
final class ALSAProbe: Sendable {
  /// The properties of a device; 0 if a property depends on the program that opens the device.
  struct DeviceProperties {
    var channelCount = 0
    var sampleRate = 0

    static let unknown = DeviceProperties()
  }

  private let properties = Lock<DeviceProperties?>(nil)
  private let done = Semaphore()

  /// Returns the properties of a device; nil if it cannot be opened for a permanent reason.
  ///
  /// The name may belong to a sound server that does not respond. So a separate thread opens the
  /// device, and is abandoned after a second.
  static func properties(
    at id: String, for direction: DeviceDirection, _ library: ALSALibrary
  ) -> DeviceProperties? {
    let probe = ALSAProbe()
    let isStarted = System.startThread("alsa probe") {
      let properties = open(id, for: direction, library)
      probe.properties.withLock { $0 = properties }
      probe.done.signal()
    }
    guard isStarted, probe.done.wait(milliseconds: 1000) else { return nil }
    return probe.properties.withLock { $0 }
  }

  private static func open(
    _ id: String, for direction: DeviceDirection, _ library: ALSALibrary
  ) -> DeviceProperties? {
    let alsa = unsafe library.functions.pointee
    let pcm: OpaquePointer
    do {
      unsafe pcm = unsafe try library.open(id, for: direction)
    } catch {
      switch error {
      // The device exists, but this program may not use it, or not at the moment.
      case .deviceBusy, .permissionDenied: return .unknown
      default: return nil
      }
    }
    defer { _ = unsafe alsa.pcm_close(pcm) }
    var parameters: OpaquePointer?
    guard unsafe alsa.pcm_hw_params_malloc(&parameters) >= 0 else { return .unknown }
    defer { unsafe alsa.pcm_hw_params_free(parameters) }
    guard unsafe alsa.pcm_hw_params_any(pcm, parameters) >= 0 else { return .unknown }
    let isHardware = unsafe alsa.pcm_type(pcm) == UInt32(AACORN_ALSA_TYPE_HW)

    var properties = DeviceProperties()
    var minimum: UInt32 = 0
    var maximum: UInt32 = 0
    _ = unsafe alsa.pcm_hw_params_get_channels_min(parameters, &minimum)
    _ = unsafe alsa.pcm_hw_params_get_channels_max(parameters, &maximum)
    // A card accepts several channel counts for playback: choose stereo, or the count nearest to
    // it.
    let isPlayback = direction == .playback
    if minimum == maximum || isHardware && !isPlayback { properties.channelCount = Int(maximum) }
    if isHardware && isPlayback { properties.channelCount = Int(min(max(minimum, 2), maximum)) }

    /// Returns the device's rate nearest to the requested one.
    func rate(near wanted: UInt32) -> UInt32? {
      var rate = wanted
      guard unsafe alsa.pcm_hw_params_any(pcm, parameters) >= 0 else { return nil }
      _ = unsafe alsa.pcm_hw_params_set_rate_resample(pcm, parameters, 0)
      let code = unsafe alsa.pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil)
      return code < 0 ? nil : rate
    }
    if isHardware || rate(near: 1) == rate(near: 1_000_000) {
      properties.sampleRate = Int(rate(near: 48000) ?? 0)
    }
    return properties
  }
}

/// The sound cards present at the last check.
struct ALSACards {
  private var numbers: [Int32]

  init(_ library: ALSALibrary) {
    numbers = library.cards
  }

  /// Makes the library read its configuration again if cards were connected or disconnected.
  ///
  /// The cards provide parts of the configuration.
  mutating func refresh(_ library: ALSALibrary) {
    let cards = library.cards
    if cards == numbers { return }
    numbers = cards
    library.discardConfiguration()
  }
}
#endif
