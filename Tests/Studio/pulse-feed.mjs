// Writes audio into a microphone's pipe in real time, in its own thread: the tests' thread is sometimes busy
// for longer than a sound server waits.

import fs from 'node:fs'
import os from 'node:os'
import { workerData } from 'node:worker_threads'

try {
  // Raises the priority of this thread only, as for the server.
  os.setPriority(-11)
} catch {
  // The user may lack the permission.
}

const { pipe, bytes, bytesPerSecond, stopped } = workerData
const flags = fs.constants.O_WRONLY | fs.constants.O_NONBLOCK
const descriptor = fs.openSync(pipe, flags)
const start = performance.now()
let written = 0
let offset = 0
/** The time since which no process has read. */
let fullSince = null

while (Atomics.wait(stopped, 0, 0, 5) === 'timed-out') {
  const due = Math.floor((performance.now() - start) / 1000 * bytesPerSecond / 4) * 4
  try {
    while (written < due) {
      const end = Math.min(bytes.length, offset + due - written)
      const count = fs.writeSync(descriptor, bytes, offset, end - offset)
      offset = (offset + count) % bytes.length
      written += count
      fullSince = null
    }
  } catch (error) {
    // The pipe is closed when the microphone is unplugged, and full when the server is busy. If it stays
    // full, no process records, and the audio is discarded.
    if (error.code !== 'EAGAIN') break
    fullSince ??= performance.now()
    if (performance.now() - fullSince > 1000) written = due
  }
}
fs.closeSync(descriptor)
