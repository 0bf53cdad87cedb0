#if os(Linux)
import AacornSystem
import CAacornALSA
import Testing

/// Loading libraries, such as ALSA's.
struct ALSALibraryTests {
  private func loadingFault(of file: String) -> LibraryFault? {
    let result: Result<UnsafeMutablePointer<aacorn_alsa_functions>, LibraryFault> =
      System.loadLibrary(file, symbols: aacorn_alsa_symbols())
    return switch result {
    case .success: nil
    case .failure(let fault): fault
    }
  }

  @Test func libraryIsFoundWithAllItsFunctions() {
    #expect(loadingFault(of: "libasound.so.2") == nil)
  }

  @Test func missingLibraryIsNamed() throws {
    let file = "libasound-that-is-missing.so.2"
    let fault = try #require(loadingFault(of: file))
    #expect(fault == .notLoaded(reason: fault.text))
    #expect(System.isMissing(file, accordingTo: fault.text))
  }

  @Test func libraryWithoutTheFunctionsIsRefused() {
    let fault = loadingFault(of: "libc.so.6")
    #expect(fault == .noFunction("snd_strerror"))
    #expect(fault?.text == "it has no function snd_strerror")
  }
}
#endif
