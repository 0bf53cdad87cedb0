// WebCodecs in a foreign page, next to the browser's own. Tests/Npm/pages.test.mjs compares all profiles.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBrowser } from './browsers.mjs'
import { serveFolder } from './folder-server.mjs'

const browser = await openBrowser()
after(() => browser.close(), { timeout: 120000 })
const origin = await serveFolder(fileURLToPath(new URL('../../', import.meta.url)), ({ pathname }) => (
  pathname === '/' ? `<output></output>
    <script type="module" src="/Tests/Studio/webcodecs-page.mjs"></script>` : null))
await browser.go(`${origin}/`)
const result = JSON.parse(await browser.until(() => document.querySelector('output').textContent, {
  what: 'the results' }))
assert.equal(result.error, undefined)

test('AAC is encoded and decoded next to the browser’s own codecs and data types', () => {
  assert.ok(['AudioDecoder', 'AudioEncoder'].every((name) => result.installed.includes(name)))
  assert.ok(result.isOwnData && result.isOwnChunk)
  for (const { frames, level } of result.decoded) {
    assert.ok(frames >= 24000, `${frames} frames`)
    assert.ok(Math.abs(level / Math.sqrt(1 / 8) - 1) < 0.1, `${level}`)
  }
  const [before, now] = result.opus
  assert.equal(now, before)
})
