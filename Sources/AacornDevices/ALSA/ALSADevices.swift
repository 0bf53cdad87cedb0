#if os(Linux)
import CAacornALSA

/// The devices of ALSA for one direction.
///
/// There are three kinds: `default`, if it can be opened; the devices of the cards; and the devices
/// that the system's or user's configuration adds. Of the many names that ALSA generates for each
/// card, only the names of its hardware devices (`hw:`) are listed.
struct ALSADevices {
  let library: ALSALibrary
  let direction: DeviceDirection

  /// All devices, `default` first.
  var all: [Device] {
    var devices: [Device] = []
    if let device = checked("default", name: "Default", isDefault: true) { devices.append(device) }
    for card in library.cards { devices += self.devices(ofCard: card) }
    for (id, details) in configuredNames {
      if hasSideEffects(id) {
        devices.append(Device(backend: .alsa, id: id, name: id, details: details))
      } else if let device = checked(id, name: id, details: details) {
        devices.append(device)
      }
    }
    return devices
  }

  // MARK: Cards

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
    let cardID = unsafe ALSALibrary.text(alsa.ctl_card_info_get_id(cardInfo))
    let cardName = unsafe ALSALibrary.text(alsa.ctl_card_info_get_name(cardInfo))
    var devices: [Device] = []
    var number: Int32 = -1
    while unsafe alsa.ctl_pcm_next_device(control, &number) >= 0, number >= 0 {
      unsafe alsa.pcm_info_set_device(info, UInt32(number))
      unsafe alsa.pcm_info_set_subdevice(info, 0)
      unsafe alsa.pcm_info_set_stream(info, direction.number)
      guard unsafe alsa.ctl_pcm_info(control, info) >= 0 else { continue }
      // A card's name survives a restart of the machine; its number may not.
      let id = "hw:CARD=\(cardID),DEV=\(number)"
      let name = unsafe ALSALibrary.text(alsa.pcm_info_get_name(info))
      let properties = ALSAProbe.properties(at: id, for: direction, library) ?? .unknown
      devices.append(
        Device(
          backend: .alsa, id: id, name: cardName, details: name,
          channelCount: properties.channelCount, sampleRate: properties.sampleRate))
    }
    return devices
  }

  // MARK: Configuration

  /// Returns the device with a name, if it can be opened.
  private func checked(
    _ id: String, name: String, details: String = "", isDefault: Bool = false
  ) -> Device? {
    if type(of: id) == "null" { return nil }
    guard let properties = ALSAProbe.properties(at: id, for: direction, library) else { return nil }
    return Device(
      backend: .alsa, id: id, name: name, details: details, channelCount: properties.channelCount,
      sampleRate: properties.sampleRate, isDefault: isDefault)
  }

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
    return unsafe ALSALibrary.text(text)
  }
}
#endif
