// Waiting for conditions, with limits for busy machines.

import { setTimeout as wait } from 'node:timers/promises'

/** The default limit in seconds for scripts of a page, and for loading a page. */
export const pageTimeout = 30

/** The default limit in seconds, so long that even the busiest machine does not reach it. */
const limit = 300

/** Waits until a condition returns a value, and returns that; `what` describes the value in errors. */
export async function until(condition, what, seconds = limit) {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const value = await condition()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`${what} did not arrive within ${seconds} s`)
    await wait(50)
  }
}

/** Returns the value of a promise, or `late` if it is not fulfilled in time. */
export async function within(seconds, promise, late) {
  const timer = new AbortController()
  try {
    return await Promise.race([promise, wait(seconds * 1000, late, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/**
 * Waits for a time in which an event must not occur. Use it only for that: a busy machine makes such a test
 * less strict, but never lets it fail.
 */
export function pass(seconds) { return wait(seconds * 1000) }
