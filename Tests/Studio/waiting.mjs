// Waiting for what a test needs, for as long as a busy machine may take to bring it.

import { setTimeout as wait } from 'node:timers/promises'

/** Seconds that browsers let a script of a page run, and wait for a page. */
export const patience = 30

/**
 * Seconds after which what a test waits for is taken never to come: so many that no machine needs
 * them, however busy.
 */
const limit = 300

/** Waits until a condition gives something, and returns that; `what` says in words what it is. */
export async function until(condition, what, seconds = limit) {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const value = await condition()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${seconds} s`)
    await wait(50)
  }
}

/** What a promise gives, or `late` if that does not come within so many seconds. */
export async function within(seconds, promise, late) {
  const timer = new AbortController()
  try {
    return await Promise.race([promise, wait(seconds * 1000, late, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/**
 * Lets time pass in which something could happen that must not: only for that, since a busy machine
 * makes such a test less sharp, but never fail.
 */
export function pass(seconds) { return wait(seconds * 1000) }
