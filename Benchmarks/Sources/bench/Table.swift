import Foundation

/// Prints numbers in columns.
enum Table {
  /// Prints cells, the first column left-aligned and the others right-aligned.
  static func row(_ cells: String..., widths: [Int] = [34, 12, 12, 12, 12]) {
    var line = "  "
    for (index, cell) in cells.enumerated() {
      let filling = String(repeating: " ", count: max(1, widths[index] - cell.count))
      line += index == 0 ? cell + filling : filling + cell
    }
    print(line)
  }

  static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}

extension [Double] {
  /// The median.
  var median: Double {
    let sorted = self.sorted()
    guard !sorted.isEmpty else { return .nan }
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }
}
