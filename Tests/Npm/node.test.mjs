// The package in node, without a bundler: its exports, its results, and its errors about missing modules.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { decodedByFFmpeg, install, resultsInNode, root, runNode } from './installed.mjs'

const folder = install()
const target = path.join(folder, 'node_modules/aacorn')
const files = path.join(folder, 'made')
fs.mkdirSync(files)
const results = resultsInNode(folder, 'plain.mjs', files)

/** Runs lines in node and returns their output. */
function run(lines, name = 'lines.mjs') {
  fs.writeFileSync(path.join(folder, name), lines)
  return runNode(folder, name)
}

test('the package contains all published files', () => {
  const published = path.join(root, 'Npm')
  const list = (root) => fs.readdirSync(root, { recursive: true }).filter((name) => (
    fs.statSync(path.join(root, name)).isFile())).sort()
  assert.deepEqual(list(target), [...list(published), 'LICENSE'].sort())
})

test('every export of package.json exists, and modules can be imported', () => {
  const { exports } = JSON.parse(fs.readFileSync(path.join(target, 'package.json')))
  const names = Object.keys(exports).map((name) => path.posix.join('aacorn', name))
  const lines = names.map((name) => {
    if (name.endsWith('.js') || name === 'aacorn') return `await import('${name}')`
    return `fs.readFileSync(fileURLToPath(import.meta.resolve('${name}')))`
  })
  assert.equal(run(`import fs from 'node:fs'
    import { fileURLToPath } from 'node:url'
    ${lines.join('\n')}
    console.log('all')`), 'all\n')
})

test('internal files cannot be imported', () => {
  assert.match(run(`import('aacorn/engine.js').catch(({ code }) => console.log(code))`),
    /ERR_PACKAGE_PATH_NOT_EXPORTED/)
})

test('CommonJS programs can import the package', () => {
  assert.equal(run(`import('aacorn').then(({ load }) => load()).then((aacorn) => (
    console.log(aacorn.constructor.name)))`, 'lines.cjs'), 'Aacorn\n')
})

test('WebCodecs and the adapter return the units of the encoder', () => {
  for (const codec of ['mp4a.40.2', 'mp4a.40.5', 'mp4a.40.29']) {
    assert.equal(results[`packets of ${codec}`], results[`chunks of ${codec}`])
  }
})

for (const [name, profile, container] of [
  ['lc.m4a', 'LC', 'mp4'], ['he.m4a', 'HE-AAC', 'mp4'], ['he2.aac', 'HE-AACv2', 'aac'],
  ['best.aac', 'LC', 'aac'], ['wav.m4a', 'LC', 'mp4'],
]) {
  test(`FFmpeg decodes ${name}`, () => {
    const { streams, container: found, samples } = decodedByFFmpeg(path.join(files, name))
    assert.deepEqual(streams, [{ profile, rate: '44100', channels: 2 }])
    assert.match(found, new RegExp(container))
    // Files specify the start and the end of their audio, streams do not; nothing is trimmed in either case.
    const frames = samples.length / 2
    assert.ok(frames >= 66150 && frames < 66150 + 8192, `${frames} samples`)
    const power = samples.reduce((sum, level) => sum + level * level, 0) / samples.length
    assert.ok(power > 0.005 && power < 0.1, `the power is ${power}`)
  })
}

test('a missing module is reported with a message', () => {
  const text = run(`import { AacornError, load } from 'aacorn'
    import fs from 'node:fs'
    import http from 'node:http'
    fs.writeFileSync('page.wasm', '<!doctype html>')
    const server = http.createServer((request, response) => {
      response.writeHead(request.url === '/missing' ? 404 : 200, { 'Content-Type': 'text/html' })
      response.end('<!doctype html>')
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = 'http://127.0.0.1:' + server.address().port
    for (const source of ['./nowhere.wasm', new URL('page.wasm', import.meta.url), base + '/missing',
      base + '/page', 'http://127.0.0.1:1/', 'http://', 'data:application/wasm,' + 'x'.repeat(9000)]) {
      try {
        await load(source)
        console.log('loaded')
      } catch (error) {
        console.log(error instanceof AacornError, error.code, error.message)
      }
    }
    server.close()`)
  const lines = text.trim().split('\n')
  const expected = [/nowhere\.wasm” was not loaded: ENOENT/, /page\.wasm” was not compiled/,
    /missing” was not loaded: the server answered 404/, /page” was not compiled/,
    /:1\/” was not loaded: /, /http:\/\/” has no address/, /xxx…” was not compiled/]
  assert.equal(lines.length, expected.length, text)
  for (const [index, line] of lines.entries()) {
    assert.match(line, /^true not-loaded The module “.*say where they are\.$/)
    assert.match(line, expected[index])
  }
})
