// Writes sound into a microphone's pipe at the speed of sound, in a thread of its own: the tests'
// own thread is sometimes busy for longer than a sound server waits.

import fs from 'node:fs'
import { workerData } from 'node:worker_threads'

const { pipe, bytes, bytesPerSecond, stopped } = workerData
const flags = fs.constants.O_WRONLY | fs.constants.O_NONBLOCK
const descriptor = fs.openSync(pipe, flags)
const start = performance.now()
let written = 0
let offset = 0

while (Atomics.wait(stopped, 0, 0, 5) === 'timed-out') {
  const due = Math.floor((performance.now() - start) / 1000 * bytesPerSecond / 4) * 4
  try {
    while (written < due) {
      const end = Math.min(bytes.length, offset + due - written)
      const count = fs.writeSync(descriptor, bytes, offset, end - offset)
      offset = (offset + count) % bytes.length
      written += count
    }
  } catch (error) {
    // The pipe is full while nobody records, and closed when the microphone is unplugged.
    if (error.code !== 'EAGAIN') break
    written = due
  }
}
fs.closeSync(descriptor)
