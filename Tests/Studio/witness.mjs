// A proxy between a page and its studio that records every request, including requests of workers, which
// browsers report differently or not at all.

import http from 'node:http'

export class Witness {
  #server

  /** The requests up to now: `url` (without the host), `method` and `status`. */
  requests = []

  /** Starts to forward requests to a studio's address. */
  static async start(address) {
    const witness = new Witness()
    const { port } = new URL(address)
    const server = http.createServer((request, response) => witness.#pass(request, response, port))
    witness.#server = server
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = new URL(address)
    url.port = server.address().port
    witness.url = url.href
    return witness
  }

  #pass(request, response, port) {
    const { method, url, headers } = request
    const entry = { url, method }
    this.requests.push(entry)
    const passed = http.request({ host: '127.0.0.1', port, method, path: url, headers })
    passed.on('response', (answer) => {
      entry.status = answer.statusCode
      response.writeHead(answer.statusCode, answer.rawHeaders)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  }

  close() {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
