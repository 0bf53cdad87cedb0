// Bundles by esbuild, run by pages and workers from a folder other than the page's: their results equal the
// results of the package in node.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundle, ways } from './bundling.mjs'
import { install, resultsInNode } from './installed.mjs'
import { Pages } from './pages.mjs'

const folder = install()
const expected = resultsInNode(folder, 'plain.mjs')
const pages = await Pages.open(folder)

for (const [format, environment, way] of [
  ['esm', 'a module', 'copied modules'], ['iife', 'a script', 'copied modules'],
  ['esm', 'a module worker', 'loader file'], ['iife', 'a worker', 'loader file'],
]) {
  test(`a bundle of format ${format}, ${way}, in ${environment}`, async () => {
    const into = `${format}-${way.replace(' ', '-')}`
    const script = ways[way](folder, into, format, `--public-path=/${into}`, '--minify')
    assert.deepEqual(await pages.results(`/${into}/${script}`, environment), expected)
  })
}

test('a bundle without modules reports them as missing', async () => {
  const script = bundle(folder, 'plain.mjs', 'lonely', 'iife')
  const { error } = JSON.parse(await pages.report(`/lonely/${script}`, 'a script'))
  assert.match(error, new RegExp('The module “http://127.0.0.1:\\d+/lonely/aacorn.wasm” was not ' +
    'loaded: the server answered 404. Check that the .wasm files of'))
})
