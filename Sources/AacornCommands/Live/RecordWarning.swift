import AacornRecording
import AacornSystem

/// Warnings about a conversion of the rate or the channels.
enum RecordWarning {
  /// Returns warnings about the conversion of a device's format.
  ///
  /// The `verbose` warnings concern inaudible or requested changes.
  static func messages(
    deviceRate: Int, deviceChannelCount: Int, _ plan: LivePlan
  ) -> (always: [String], verbose: [String]) {
    let configuration = plan.configuration
    var always: [String] = []
    var verbose: [String] = []
    let rate = configuration.sampleRate
    if deviceRate > 0 && deviceRate != rate {
      let message =
        "The audio is converted from \(QuantityText.frequency(deviceRate)) to "
        + "\(QuantityText.frequency(rate)). To keep the rate, use --rate \(deviceRate)."
      // A conversion between common rates is inaudible, but users of PCM expect unchanged samples.
      if plan.format.isPCM && plan.sound.sampleRate == nil {
        always.append(message)
      } else {
        verbose.append(message)
      }
    }
    let count = configuration.channelCount
    if !configuration.channelMap.isEmpty {
      if configuration.channelMap.count > count {
        always.append(
          "\(configuration.channelMap.count) channels are mixed to \(count). To keep them apart, "
            + "use --channels \(configuration.channelMap.count).")
      }
    } else if deviceChannelCount > count {
      let source = !plan.isRecording && plan.sound.isFile ? "file" : "device"
      let message =
        "The \(source) has \(deviceChannelCount) channels, the \(plan.noun) has "
        + "\(count == 1 ? "one" : "\(count)"). To choose some, use --channel-map, for example "
        + "--channel-map 1,2."
      if plan.sound.channelCount == nil { always.append(message) } else { verbose.append(message) }
    }
    return (always, verbose)
  }
}
