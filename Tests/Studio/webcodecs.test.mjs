// WebCodecs in a foreign page, next to the browser's own. Tests/Npm/pages.test.mjs compares all profiles.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBrowser } from './browsers.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }
const page = `<!doctype html><html lang="en"><title>WebCodecs</title><link rel="icon" href="data:,">
<output></output><script type="module" src="/Tests/Studio/webcodecs-page.mjs"></script>`

const server = http.createServer((request, response) => {
  if (request.url === '/') {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
    return
  }
  const file = path.join(root, path.normalize(request.url))
  if (!fs.existsSync(file)) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'Content-Type': types[path.extname(file)] ?? 'text/plain' })
  response.end(fs.readFileSync(file))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await openBrowser()
after(async () => {
  await browser.close()
  server.close()
}, { timeout: 120000 })

await browser.go(`http://127.0.0.1:${server.address().port}/`)
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
