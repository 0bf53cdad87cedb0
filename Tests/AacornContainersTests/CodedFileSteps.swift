import AacornCodec
import Testing

@testable import AacornContainers

/// Returns the steps of reading a file in memory, without the requests.
///
/// A reader must not request a byte of a pipe twice, or bytes past the end of a file.
func codedSteps(
  _ file: [UInt8], isPiped: Bool = false, track: Int? = nil
) throws -> [CodedFileReader.Step] {
  var reader = CodedFileReader(byteCount: isPiped ? nil : UInt64(file.count), track: track)
  return try codedSteps(of: &reader, file, isPiped: isPiped)
}

func codedSteps(
  of reader: inout CodedFileReader, _ file: [UInt8], isPiped: Bool = false, limit: Int = .max
) throws -> [CodedFileReader.Step] {
  var steps: [CodedFileReader.Step] = []
  var passed: UInt64 = 0
  while steps.count < limit {
    let step = try reader.step()
    switch step {
    case .need(let offset, let count):
      #expect(count > 0)
      if isPiped {
        #expect(offset >= passed)
        passed = offset + UInt64(count)
      } else {
        #expect(offset + UInt64(count) <= UInt64(file.count))
      }
      let start = Int(min(offset, UInt64(file.count)))
      reader.supply(Array(file[start...].prefix(count)))
    case .end:
      return steps
    default:
      steps.append(step)
    }
  }
  return steps
}

extension [CodedFileReader.Step] {
  var units: [CodedUnit] { compactMap { if case .unit(let unit) = $0 { unit } else { nil } } }

  var configurations: [AudioSpecificConfig] {
    compactMap {
      if case .configuration(let configuration) = $0 { configuration } else { nil }
    }
  }

  var damage: [StreamDamage] {
    compactMap { if case .damage(let damage) = $0 { damage } else { nil } }
  }
}
