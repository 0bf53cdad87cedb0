// A web server for a user's folder, with a page for every script that a test runs, and with each of the ways in
// which pages run scripts.

import { after } from 'node:test'
import { openBrowser } from '../Studio/browsers.mjs'
import { serveFolder } from './folder-server.mjs'
import { resultsOf } from './installed.mjs'

const importMap = JSON.stringify({ imports: {
  'aacorn': '/node_modules/aacorn/aacorn.js', 'aacorn/': '/node_modules/aacorn/',
  'mediabunny': '/node_modules/mediabunny/index.mjs',
} })

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

/** Returns the content of the page that runs a script. */
function bodyAt({ pathname, searchParams }) {
  if (pathname !== '/page/here') return null
  const script = ways[searchParams.get('way')](searchParams.get('address'))
  return `<script type="importmap">${importMap}</script><output></output>${script}`
}

/** The pages of a folder, in a browser, which is closed at the end of the tests. */
export class Pages {
  #origin
  #browser

  static async open(folder) {
    const pages = new Pages()
    pages.#browser = await openBrowser()
    after(() => pages.#browser.close(), { timeout: 120000 })
    pages.#origin = await serveFolder(folder, bodyAt)
    return pages
  }

  /** Returns the results of a program, run in one of the `ways`. */
  async results(address, way) {
    return resultsOf(await this.report(address, way))
  }

  async report(address, way) {
    const query = new URLSearchParams({ address, way })
    await this.#browser.go(`${this.#origin}/page/here?${query}`)
    return this.#browser.until(() => document.querySelector('output').textContent, {
      what: `the report of ${address}` })
  }
}
