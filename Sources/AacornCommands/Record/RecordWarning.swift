import AudioCapture
import Recording

/// What of the sound is not recorded because of rate and channels, in sentences.
enum RecordWarning {
  /// What is lost on the way from a device of this form; `curious` is what nobody would hear.
  static func sentences(
    deviceRate: Int, deviceChannelCount: Int, plan: RecordPlan
  ) -> (always: [String], curious: [String]) {
    var always: [String] = []
    var curious: [String] = []
    let configuration = plan.configuration
    let rate = configuration.sampleRate
    if deviceRate > 0 && deviceRate != rate {
      let sentence =
        "The sound is converted from \(QuantityText.frequency(deviceRate)) to "
        + "\(QuantityText.frequency(rate)). To record it as it is, use --rate \(deviceRate)."
      // Above 20 kHz nobody hears what is missing; but samples are wanted as they are.
      let isAudible = rate < deviceRate && rate < 40_000
      if isAudible || plan.format.isPCM {
        always.append(sentence)
      } else {
        curious.append(sentence)
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
      always.append(
        "The device has \(deviceChannelCount) channels, the recording "
          + "\(count == 1 ? "one" : "\(count)"). To choose some, use --channel-map, for example "
          + "--channel-map 1,2.")
    }
    return (always, curious)
  }
}
