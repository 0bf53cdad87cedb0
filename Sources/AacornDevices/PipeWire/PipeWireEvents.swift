#if os(Linux)
import CAacornPipeWire

/// The library's callbacks, which call the objects of their `user` pointers.
enum PipeWireEvents {
  /// The loop thread's callbacks, for a ``PipeWireConnection``.
  static var session: aacorn_pw_session_events {
    unsafe aacorn_pw_session_events(
      node: { user, id, properties in
        let node = PipeWireNode { unsafe text(aacorn_pw_property(properties, $0)) }
        unsafe connectionState(user)?.change { $0.put(id, node) }
      },
      channels: { user, id, count in
        unsafe connectionState(user)?.change { $0.setChannels(of: id, count) }
      },
      link: { user, id, properties in
        guard
          let output = unsafe number(aacorn_pw_property(properties, "link.output.node")),
          let input = unsafe number(aacorn_pw_property(properties, "link.input.node"))
        else { return }
        unsafe connectionState(user)?.change { $0.links[id] = .init(output: output, input: input) }
      },
      removed: { user, id in
        unsafe connectionState(user)?.change { $0.remove(id) }
      },
      setting: { user, key, value in
        guard let key = unsafe text(key) else { return }
        let value = unsafe text(value)
        unsafe connectionState(user)?.change { $0.set(key, value) }
      },
      complete: { user in
        unsafe connectionState(user)?.change { $0.isComplete = true }
      },
      broken: { user, reason in
        let reason = unsafe text(reason) ?? ""
        unsafe connectionState(user)?.change { $0.failure = reason }
      })
  }

  /// The callbacks of a capturing stream, for a ``PipeWireTap``; `process` runs on the data thread.
  static var capture: aacorn_pw_stream_events {
    unsafe aacorn_pw_stream_events(
      process: { user, block in
        guard let block = unsafe block else { return }
        unsafe tap(user)?.take(block.pointee)
      },
      fill: nil,
      state: { user, state, error in
        let error = unsafe text(error)
        unsafe tap(user)?.condition.setState(Int(state), error)
      })
  }

  /// The callbacks of a playing stream, for a ``PipeWireRenderer``; `fill` runs on the data thread.
  static var playback: aacorn_pw_stream_events {
    unsafe aacorn_pw_stream_events(
      process: nil,
      fill: { user, space in
        guard let space = unsafe space else { return }
        unsafe renderer(user)?.fill(space.pointee)
      },
      state: { user, state, error in
        let error = unsafe text(error)
        unsafe renderer(user)?.condition.setState(Int(state), error)
      })
  }
}

// The following functions are outside the type, because a C callback cannot capture any value, not
// even the type.

private func connectionState(
  _ user: UnsafeMutableRawPointer?
) -> PipeWireConnection.ConnectionState? {
  guard let user = unsafe user else { return nil }
  return unsafe Unmanaged<PipeWireConnection.ConnectionState>.fromOpaque(user).takeUnretainedValue()
}

private func tap(_ user: UnsafeMutableRawPointer?) -> PipeWireTap? {
  guard let user = unsafe user else { return nil }
  return unsafe Unmanaged<PipeWireTap>.fromOpaque(user).takeUnretainedValue()
}

private func renderer(_ user: UnsafeMutableRawPointer?) -> PipeWireRenderer? {
  guard let user = unsafe user else { return nil }
  return unsafe Unmanaged<PipeWireRenderer>.fromOpaque(user).takeUnretainedValue()
}

private func text(_ start: UnsafePointer<CChar>?) -> String? {
  guard let start = unsafe start else { return nil }
  return unsafe String(cString: start)
}

private func number(_ start: UnsafePointer<CChar>?) -> UInt32? {
  unsafe text(start).flatMap { UInt32($0) }
}
#endif
