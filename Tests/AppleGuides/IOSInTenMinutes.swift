#if os(iOS)
import Aacorn
import SwiftUI

/// What surrounds the code of the article.
struct RecordingView: View {
  let model: RecorderModel
  // Code IOSInTenMinutes 1
}
#endif
