import AacornSystem
import Foundation

/// A configuration for alsa-lib with devices that need no sound card.
///
/// It adds these names to the system's:
///
///     default                   a card that does not exist
///     testdevice                a device in lists
///     testsilence               a device without a clock, not in lists
///     rawfile:FILE=…            the content of a file, without a clock, see `file`
///     pulsemic:SERVER=…,…       a source or sink of a PulseAudio server, see `pulse`
public final class ALSAConfiguration: Sendable {
  private let folder: URL

  private init() throws {
    folder = try makeRigFolder(for: "alsa")
    let file = folder.appendingPathComponent("asound.conf")
    try Self.text.write(to: file, atomically: true, encoding: .utf8)
    unsafe setenv("ALSA_CONFIG_PATH", file.path, 1)
    Self.lastFolder.withLock { [folder] in $0 = folder }
    atexit {
      guard let folder = ALSAConfiguration.lastFolder.withLock({ $0 }) else { return }
      try? FileManager.default.removeItem(at: folder)
    }
  }

  private static let installed = Result { try ALSAConfiguration() }
  /// The folder that is deleted when the process ends.
  private static let lastFolder = Lock<URL?>(nil)

  /// Makes this process use the configuration; call it before the first call of alsa-lib.
  @discardableResult
  public static func install() throws -> ALSAConfiguration {
    try installed.get()
  }

  /// Returns the name of a device that delivers these samples, at any rate and with any number of channels.
  ///
  /// Then it reports the end repeatedly.
  public func file(of samples: [Int32]) throws -> String {
    let url = folder.appendingPathComponent("\(UUID().uuidString).raw")
    try unsafe samples.withUnsafeBytes { unsafe Data($0) }.write(to: url)
    return "rawfile:FILE='\(url.path)'"
  }

  /// Returns the name of a source or sink of a PulseAudio server, used through ALSA's plug-in.
  public static func pulse(_ source: String, server: String) -> String {
    "pulsemic:SERVER='\(server)',SOURCE='\(source)'"
  }

  private static let text = """
    </usr/share/alsa/alsa.conf>
    pcm.!default { type hw card 31 }
    pcm.testdevice {
      type plug
      slave.pcm "null"
      hint { show on description "A device of the tests" }
    }
    pcm.testsilence { type null }
    pcm.pulsemic {
      @args [ SERVER SOURCE ]
      @args.SERVER { type string }
      @args.SOURCE { type string }
      type pulse
      server $SERVER
      device $SOURCE
    }
    pcm.rawfile {
      @args [ FILE ]
      @args.FILE { type string }
      type file
      slave.pcm "null"
      file "/dev/null"
      infile $FILE
      format "raw"
    }

    """
}
