// Bundles by esbuild, run by node without access to the package: their results equal the results of the
// package.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { bundle, ways } from './bundling.mjs'
import { install, resultsInNode, runNode, temporaryFolder } from './installed.mjs'

const folder = install()
const expected = resultsInNode(folder, 'plain.mjs')

/** Runs a bundle in an empty folder whose name must be escaped in an address. */
function resultsElsewhere(into, script) {
  const target = path.join(temporaryFolder(), 'a b%20#c')
  fs.cpSync(path.join(folder, into), target, { recursive: true })
  return resultsInNode('/', path.join(target, script))
}

for (const [way, format] of [...Object.keys(ways).map((way) => [way, 'esm']), ['copied modules', 'cjs']]) {
  test(`node runs a bundle of format ${format}, ${way}`, () => {
    const into = `${format}-${way.replace(' ', '-')}`
    const script = ways[way](folder, into, format, '--platform=node')
    assert.deepEqual(resultsElsewhere(into, script), expected)
  })
}

test('a bundle without modules reports them as missing on use', () => {
  fs.writeFileSync(path.join(folder, 'lonely.mjs'), `import { AacornError, load } from 'aacorn'
    import { registerAacornEncoder } from 'aacorn/mediabunny.js'
    import { AudioEncoder } from 'aacorn/webcodecs.js'
    registerAacornEncoder()
    new AudioEncoder({ output() {}, error() {} }).close()
    load().catch((error) => console.log(error instanceof AacornError, error.message))`)
  const script = bundle(folder, 'lonely.mjs', 'lonely', 'cjs', '--platform=node')
  const target = path.join(temporaryFolder(), 'lonely.cjs')
  fs.copyFileSync(path.join(folder, 'lonely', script), target)
  const said = runNode('/', target)
  assert.match(said, /^true The module “file:\/\/\/.*\/aacorn\.wasm” was not loaded: ENOENT/)
  assert.match(said, /\. Check that the \.wasm files of the package are there, or say where they are\.$/m)
})

test('unused parts are removed from a bundle', () => {
  fs.writeFileSync(path.join(folder, 'small.mjs'), `import { loadDecoder } from 'aacorn/decoder.js'
    loadDecoder().then(console.log)`)
  fs.writeFileSync(path.join(folder, 'nothing.mjs'), `import { AacornError } from 'aacorn'
    import { registerAacornEncoder } from 'aacorn/mediabunny.js'
    import { installWebCodecs } from 'aacorn/webcodecs.js'`)
  const size = (name) => execFileSync('esbuild', ['--bundle', '--minify', '--format=esm', name],
    { cwd: folder }).length
  assert.equal(size('nothing.mjs'), 0)
  assert.ok(size('small.mjs') < 20000, `${size('small.mjs')} bytes`)
})
