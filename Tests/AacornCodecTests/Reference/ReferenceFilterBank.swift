import AacornCodec

/// Windows, overlaps and adds the blocks of one channel (ISO/IEC 14496-3, 4.6.11).
struct ReferenceFilterBank {
  private var overlap: [Double]
  private var previousShape: WindowShape = .sine
  private let frameLength: Int
  private let longSlopes: [[Double]]
  private let shortSlopes: [[Double]]

  /// Creates a filter bank without history, for frames of 1,024 or 960 samples.
  init(frameLength: Int) {
    self.frameLength = frameLength
    overlap = [Double](repeating: 0, count: frameLength)
    longSlopes = [
      ReferenceTransform.sine(frameLength),
      ReferenceTransform.kaiserBesselDerived(frameLength, alpha: 4),
    ]
    shortSlopes = [
      ReferenceTransform.sine(frameLength / 8),
      ReferenceTransform.kaiserBesselDerived(frameLength / 8, alpha: 6),
    ]
  }

  /// Transforms a frame's lines to its samples; the lines of short windows are consecutive.
  mutating func synthesise(_ spectrum: [Double], window: WindowInfo) -> [Double] {
    let block: [Double]
    if window.isShort {
      block = shortBlock(spectrum, shape: window.shape)
    } else {
      let slopes = longWindow(window)
      block = zip(ReferenceTransform.inverse(spectrum), slopes).map { $0 * $1 }
    }
    let output = zip(block, overlap).map { $0 + $1 }
    overlap = Array(block[frameLength...])
    previousShape = window.shape
    return output
  }

  private func longWindow(_ window: WindowInfo) -> [Double] {
    let flat = (frameLength - frameLength / 8) / 2
    let zeros = [Double](repeating: 0, count: flat)
    let ones = [Double](repeating: 1, count: flat)
    let previous = Int(previousShape.rawValue)
    let current = Int(window.shape.rawValue)
    let rise =
      window.sequence == .longStop
      ? zeros + shortSlopes[previous] + ones : longSlopes[previous]
    let fall =
      window.sequence == .longStart
      ? ones + shortSlopes[current].reversed() + zeros : longSlopes[current].reversed()
    return rise + fall
  }

  /// Overlaps eight short windows by half, in the middle of the block.
  private func shortBlock(_ spectrum: [Double], shape: WindowShape) -> [Double] {
    let length = frameLength / 8
    var block = [Double](repeating: 0, count: 2 * frameLength)
    let slope = shortSlopes[Int(shape.rawValue)]
    for index in 0..<8 {
      let rise = index == 0 ? shortSlopes[Int(previousShape.rawValue)] : slope
      let window = rise + slope.reversed()
      let lines = Array(spectrum[index * length..<(index + 1) * length])
      let start = (frameLength - length) / 2 + index * length
      for (n, sample) in ReferenceTransform.inverse(lines).enumerated() {
        block[start + n] += sample * window[n]
      }
    }
    return block
  }
}
