import AacornCodec

extension ProgramConfig {
  /// Whether every count fits its field and there is at least one channel (14496-3, 4.4.1.1).
  var isEncodable: Bool {
    let tags = (front + side + back + coupling).map { $0.tag } + lowFrequency + data + [tag]
    return channelCount > 0 && (0...3).contains(profile) && front.count <= 15 && side.count <= 15
      && back.count <= 15 && lowFrequency.count <= 3 && data.count <= 7 && coupling.count <= 15
      && comment.count <= 255 && (0...3).contains(matrixMixdown?.index ?? 0)
      && tags.allSatisfy { (0...15).contains($0) }
  }
}
