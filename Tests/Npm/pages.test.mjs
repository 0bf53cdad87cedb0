// The package in a page and in a worker without a bundler: their results equal the results in node.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, resultsInNode } from './installed.mjs'
import { Pages } from './pages.mjs'

const folder = install()
const expected = resultsInNode(folder, 'plain.mjs')
const pages = await Pages.open(folder)

test('a page runs it, with an import map', async () => {
  assert.deepEqual(await pages.results('/plain.mjs', 'a module'), expected)
})

test('a worker runs it, by its address', async () => {
  const results = await pages.results('/worker.mjs', 'a module worker')
  const names = Object.keys(expected).filter((name) => !name.startsWith('packets'))
  assert.deepEqual(results, Object.fromEntries(names.map((name) => [name, expected[name]])))
})
