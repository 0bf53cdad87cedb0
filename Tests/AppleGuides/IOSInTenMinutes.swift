#if os(iOS)
import Aacorn
import SwiftUI

/// The context of the article's code.
struct RecordingView: View {
  // Code IOSInTenMinutes 1
}
#endif
