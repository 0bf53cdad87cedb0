// The browser of these tests: Chromium, or the one that BROWSER names.

import { Chromium } from './chromium.mjs'
import { Firefox } from './firefox.mjs'

const browsers = { chromium: Chromium, firefox: Firefox }

/** Opens one; see `Browser.open`. */
export function openBrowser(options) {
  const name = process.env.BROWSER ?? 'chromium'
  if (!(name in browsers)) throw new Error(`There is no browser “${name}” for these tests.`)
  return browsers[name].open(options)
}
