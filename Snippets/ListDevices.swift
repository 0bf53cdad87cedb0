//! Lists the microphones of this machine, and reports changes.

import Aacorn

do {
  for device in try await AudioDevices.inputs() {
    print(device.name, device.isDefault ? "(default)" : "", device.id)
  }
} catch {
  print(error)
}

for await devices in AudioDevices.changes() {
  print("Now there are \(devices.count).")
  // snippet.hide
  break
  // snippet.show
}
