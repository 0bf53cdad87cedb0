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

let count = 0
for (const [way, make] of Object.entries(ways)) {
  for (const [format, environment] of [['esm', 'a module'], ['iife', 'a script']]) {
    test(`a bundle of format ${format}, ${way}, in ${environment}`, async () => {
      const into = `assets-${count++}`
      const script = make(folder, into, format, `--public-path=/${into}`, '--minify')
      assert.deepEqual(await pages.results(`/${into}/${script}`, environment), expected)
    })
  }
}

for (const way of ['copied modules', 'loader file']) {
  for (const [format, environment] of [['esm', 'a module worker'], ['iife', 'a worker']]) {
    test(`a bundle of format ${format}, ${way}, in ${environment}`, async () => {
      const into = `assets-${count++}`
      const script = ways[way](folder, into, format, `--public-path=/${into}`)
      assert.deepEqual(await pages.results(`/${into}/${script}`, environment), expected)
    })
  }
}

for (const [format, environment] of [['esm', 'a module'], ['iife', 'a script'], ['iife', 'a worker']]) {
  test(`a bundle of format ${format} without modules reports them as missing in ${environment}`, async () => {
    const into = `lonely-${count++}`
    const script = bundle(folder, 'plain.mjs', into, format)
    const { error } = JSON.parse(await pages.report(`/${into}/${script}`, environment))
    assert.match(error, new RegExp(`The module “http://127.0.0.1:\\d+/${into}/aacorn.wasm” was not ` +
      'loaded: the server answered 404. Check that the .wasm files of'))
  })
}
