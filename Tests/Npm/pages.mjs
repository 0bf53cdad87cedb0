// A server for a user's folder, as there are many: files with their types, and a page for every script
// that a test wants to be run, in one of the ways in which pages run scripts.

import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { after } from 'node:test'
import { openBrowser } from '../Studio/browsers.mjs'
import { resultsOf } from './installed.mjs'

const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }

/** What the page's own modules find by name. */
const importMap = JSON.stringify({ imports: {
  'aacorn': '/node_modules/aacorn/aacorn.js', 'aacorn/': '/node_modules/aacorn/',
  'mediabunny': '/node_modules/mediabunny/index.mjs',
} })

/** How a page runs the script at an address. */
const ways = {
  'a module': (address) => `<script type="module" src="${address}"></script>`,
  'a script': (address) => `<script src="${address}"></script>`,
  'a worker': (address) => worker(address, {}),
  'a worker that is a module': (address) => worker(address, { type: 'module' }),
}

function worker(address, options) {
  return `<script>
    const worker = new Worker(${JSON.stringify(address)}, ${JSON.stringify(options)})
    const tell = (text) => { document.querySelector('output').textContent = text }
    worker.onmessage = ({ data }) => tell(data)
    worker.onerror = ({ message, filename }) => tell(JSON.stringify({
      error: 'the worker: ' + message + ' ' + filename }))
  </script>`
}

/** The pages of a folder, in a browser; both go when the tests have ended. */
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

  /** The results of a program, run as one of the `ways`. */
  async results(address, way) {
    return resultsOf(await this.told(address, way))
  }

  /** What a program tells. */
  async told(address, way) {
    const query = new URLSearchParams({ address, way })
    await this.#browser.go(`http://127.0.0.1:${this.#server.address().port}/page/here?${query}`)
    return this.#browser.until(() => document.querySelector('output').textContent, {
      what: `what ${address} tells` })
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
