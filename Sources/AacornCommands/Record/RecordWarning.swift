import AacornDevices
import AacornRecording
import AacornSystem

/// Warnings about a conversion of the rate or the channels.
enum RecordWarning {
  /// Returns warnings about the conversion of a device's format.
  ///
  /// The `verbose` warnings concern inaudible or requested changes.
  static func messages(
    deviceRate: Int, deviceChannelCount: Int, plan: RecordPlan
  ) -> (always: [String], verbose: [String]) {
    messages(
      deviceRate: deviceRate, deviceChannelCount: deviceChannelCount, plan.configuration,
      isPCM: plan.format.isPCM, choosesRate: plan.choosesRate,
      choosesChannels: plan.choosesChannels)
  }

  /// Returns the warnings for a recording format.
  ///
  /// `source` and `product` are the words for the origin and the result of the audio.
  static func messages(
    deviceRate: Int, deviceChannelCount: Int, _ configuration: RecordingConfiguration, isPCM: Bool,
    choosesRate: Bool, choosesChannels: Bool, source: String = "device",
    product: String = "recording"
  ) -> (always: [String], verbose: [String]) {
    var always: [String] = []
    var verbose: [String] = []
    let rate = configuration.sampleRate
    if deviceRate > 0 && deviceRate != rate {
      let message =
        "The audio is converted from \(QuantityText.frequency(deviceRate)) to "
        + "\(QuantityText.frequency(rate)). To keep the rate, use --rate \(deviceRate)."
      // A conversion between common rates is inaudible, but users of PCM expect unchanged samples.
      if isPCM && !choosesRate {
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
      let message =
        "The \(source) has \(deviceChannelCount) channels, the \(product) has "
        + "\(count == 1 ? "one" : "\(count)"). To choose some, use --channel-map, for example "
        + "--channel-map 1,2."
      if choosesChannels { verbose.append(message) } else { always.append(message) }
    }
    return (always, verbose)
  }
}
