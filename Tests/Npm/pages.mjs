// A typical web server for a user's folder: files with their types, and a page for every script that a test
// runs, with each of the ways in which pages run scripts.

import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { after } from 'node:test'
import { openBrowser } from '../Studio/browsers.mjs'
import { resultsOf } from './installed.mjs'

const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }

/** The import map of the page. */
const importMap = JSON.stringify({ imports: {
  'aacorn': '/node_modules/aacorn/aacorn.js', 'aacorn/': '/node_modules/aacorn/',
  'mediabunny': '/node_modules/mediabunny/index.mjs',
} })

/** Ways to run the script at an address. */
const ways = {
  'a module': (address) => `<script type="module" src="${address}"></script>`,
  'a script': (address) => `<script src="${address}"></script>`,
  'a worker': (address) => worker(address, {}),
  'a module worker': (address) => worker(address, { type: 'module' }),
}

function worker(address, options) {
  return `<script>
    const worker = new Worker(${JSON.stringify(address)}, ${JSON.stringify(options)})
    const report = (text) => { document.querySelector('output').textContent = text }
    worker.onmessage = ({ data }) => report(data)
    worker.onerror = ({ message, filename }) => report(JSON.stringify({
      error: 'the worker: ' + message + ' ' + filename }))
  </script>`
}

/** The pages of a folder, in a browser; both are closed at the end of the tests. */
export class Pages {
  #server
  #browser

  static async open(folder) {
    const pages = new Pages()
    pages.#server = http.createServer((request, response) => answer(folder, request, response))
    await new Promise((resolve) => pages.#server.listen(0, '127.0.0.1', resolve))
    pages.#browser = await openBrowser()
    after(async () => {
      await pages.#browser.close()
      pages.#server.close()
    }, { timeout: 120000 })
    return pages
  }

  /** Returns the results of a program, run in one of the `ways`. */
  async results(address, way) {
    return resultsOf(await this.report(address, way))
  }

  /** Returns the report of a program. */
  async report(address, way) {
    const query = new URLSearchParams({ address, way })
    await this.#browser.go(`http://127.0.0.1:${this.#server.address().port}/page/here?${query}`)
    return this.#browser.until(() => document.querySelector('output').textContent, {
      what: `the report of ${address}` })
  }
}

function answer(folder, request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost/')
  const file = path.join(folder, path.normalize(decodeURIComponent(pathname)))
  if (pathname === '/page/here') {
    const script = ways[searchParams.get('way')](searchParams.get('address'))
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">
      <script type="importmap">${importMap}</script><output></output>${script}`)
  } else if (fs.existsSync(file)) {
    response.writeHead(200, { 'Content-Type': types[path.extname(file)] ?? 'text/plain' })
    response.end(fs.readFileSync(file))
  } else {
    response.writeHead(404).end()
  }
}
