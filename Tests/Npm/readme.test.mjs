// The package as published to npm: reproducible bytes, and the lines of its README, run as by a user.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { bundle } from './bundling.mjs'
import { install, root, runNode, tarball, temporaryFolder } from './installed.mjs'

const folder = install()

/** Runs a module in the user's folder; `samples` and the results of the previous lines are defined. */
function run(lines) {
  fs.writeFileSync(path.join(folder, 'user.mjs'), `
    const samples = Float32Array.from({ length: 96000 }, (_, index) => Math.sin(index / 40) / 2)
    ${lines}`)
  return JSON.parse(runNode(folder, 'user.mjs'))
}

/** Returns the lines of JavaScript, or of another language, below a heading of the README. */
function linesBelow(heading, kind = 'js') {
  const text = fs.readFileSync(path.join(folder, 'node_modules/aacorn/README.md'), 'utf8')
  const part = text.split(`\n## ${heading}\n`)[1].split('\n## ')[0]
  const blocks = part.matchAll(new RegExp('^```' + kind + '\\n([^]*?)^```', 'gm'))
  return Array.from(blocks, ([, code]) => code).join('\n')
}

test('the same files make the same tarball', () => {
  const script = path.join(root, 'Scripts/build-npm-package')
  const again = String(execFileSync(script, [temporaryFolder()])).trim()
  assert.deepEqual(fs.readFileSync(again), fs.readFileSync(tarball))
})

test('the lines of the README encode, decode, convert and inspect', () => {
  const lines = ['Encode', 'Decode and read sound files'].map((name) => linesBelow(name)).join('\n')
  const { sizes, ...found } = run(`${lines}
    console.log(JSON.stringify({ sizes: [blob.size, converted.size], frames: channels[0].length,
      rate: sampleRate, profile, faults }))`)
  for (const size of sizes) assert.ok(size > 5000)
  assert.deepEqual(found, { frames: 48000, rate: 48000, profile: 'LC', faults: [] })
})

test('the lines of the README install WebCodecs', () => {
  const { count, times } = run(`${linesBelow('WebCodecs')}
    console.log(JSON.stringify({ count: chunks.length, times: chunks.map((c) => c.timestamp) }))`)
  assert.ok(count >= 48)
  assert.equal(times[0], 0)
})

test('the lines of the README register with mediabunny', () => {
  const lines = `${linesBelow('mediabunny')}
    import { make } from 'mediabunny'
    const config = { codec: 'mp4a.40.2', sampleRate: 48000, numberOfChannels: 2 }
    console.log(JSON.stringify(['encode', 'decode'].map((kind) => (
      make(kind, 'aac', config)?.constructor.name))))`
  assert.deepEqual(run(lines), ['AacornEncoder', 'AacornDecoder'])
})

const heading = 'Bundlers'
const bundled = `const coding = aacorn.encoder({ sampleRate: 48000, channels: 2 })
  const units = coding.encode(new Float32Array(9000))
  aacorn.decoder(coding.audioSpecificConfig).then((decoding) => (
    console.log(units.length, decoding.decode(units[0]).channels[0].length)))`

test('the lines of the README bundle it', () => {
  fs.writeFileSync(path.join(folder, 'app.js'), `import { load } from 'aacorn'
    load().then((aacorn) => { ${bundled} })`)
  const lines = linesBelow(heading, 'console').replaceAll(/^\$ /gm, '')
  assert.match(lines, /esbuild app\.js/)
  execFileSync('sh', ['-ec', lines], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const dist = path.join(folder, 'dist')
  fs.writeFileSync(path.join(dist, 'package.json'), '{}')
  assert.equal(runNode(dist, 'app.js'), '3 1024\n')
})

test('the lines of the README import the modules', () => {
  fs.writeFileSync(path.join(folder, 'importing.js'), `import { load } from 'aacorn'
    ${linesBelow(heading)}
    ${bundled}`)
  bundle(folder, 'importing.js', 'dist-binary', 'esm', '--loader:.wasm=binary')
  assert.equal(runNode(folder, 'dist-binary/importing.mjs'), '3 1024\n')
})
