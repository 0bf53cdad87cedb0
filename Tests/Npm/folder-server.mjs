// A typical web server for a test: the files of a folder with their types, and pages.

import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { after } from 'node:test'

const types = {
  '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/**
 * Serves a folder until the end of the tests, and returns the address of the server. `bodyAt(url)` returns the
 * content of a page, or null if there is no page at an address.
 */
export async function serveFolder(folder, bodyAt) {
  const server = http.createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost/')
    const body = bodyAt(url)
    const file = path.join(folder, path.normalize(decodeURIComponent(url.pathname)))
    if (body !== null) {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      response.end(`<!doctype html><html lang="en"><title>A page</title>
        <link rel="icon" href="data:,">${body}`)
    } else if (fs.existsSync(file)) {
      response.writeHead(200, { 'Content-Type': types[path.extname(file)] ?? 'text/plain' })
      response.end(fs.readFileSync(file))
    } else {
      response.writeHead(404).end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${server.address().port}`
}
