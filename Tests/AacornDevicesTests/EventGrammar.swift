import Testing

/// Expects that a device returns after each loss, resumes after each suspension, and does nothing
/// else while it is missing.
func expectGrammar(_ events: [String]) throws {
  var isLost = false
  var isSuspended = false
  for event in events {
    switch event {
    case "deviceLost":
      try #require(!isLost, "\(events)")
      isLost = true
      isSuspended = false
    case "deviceReturned":
      try #require(isLost, "\(events)")
      isLost = false
    case "deviceChanged": try #require(!isLost, "\(events)")
    case "suspended":
      try #require(!isLost && !isSuspended, "\(events)")
      isSuspended = true
    case "resumed":
      try #require(!isLost && isSuspended, "\(events)")
      isSuspended = false
    default: Issue.record("\(events)")
    }
  }
}
