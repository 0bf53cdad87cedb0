#if os(Linux)
import CAacornALSA
import Testing

/// Loading the ALSA library.
struct ALSALibraryTests {
  private func load(_ file: String) -> (result: aacorn_alsa_result, reason: String) {
    var functions = aacorn_alsa_functions()
    var reason = [CChar](repeating: 0, count: 256)
    let result = unsafe aacorn_alsa_load(file, &functions, &reason, reason.count)
    return (result, String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
  }

  @Test func libraryIsFoundWithAllItsFunctions() {
    #expect(load("libasound.so.2").result == AACORN_ALSA_LOADED)
  }

  @Test func missingLibraryIsNamed() {
    let (result, reason) = load("libasound-that-is-missing.so.2")
    #expect(result == AACORN_ALSA_NO_LIBRARY)
    #expect(reason.contains("libasound-that-is-missing.so.2"))
  }

  @Test func libraryWithoutTheFunctionsIsRefused() {
    let (result, reason) = load("libc.so.6")
    #expect(result == AACORN_ALSA_NO_FUNCTION)
    #expect(reason == "it has no function snd_strerror")
  }
}
#endif
