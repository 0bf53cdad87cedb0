// The browser of these tests: Chromium, or the browser that BROWSER names.

import { Chromium } from './chromium.mjs'
import { Firefox } from './firefox.mjs'

const browsers = { chromium: Chromium, firefox: Firefox }

/** Opens a browser; see `Browser.open`. */
export function openBrowser(options) {
  const name = process.env.BROWSER ?? 'chromium'
  if (!(name in browsers)) throw new Error(`These tests do not support the browser “${name}”.`)
  return browsers[name].open(options)
}
