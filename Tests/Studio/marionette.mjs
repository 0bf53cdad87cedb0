// The connection to Firefox: JSON messages, each preceded by its length.

import net from 'node:net'
import { WebDriverError } from './webdriver.mjs'

/** A connection on which the commands are sequential. */
export class Marionette {
  #socket
  #text = Buffer.alloc(0)
  #waiting = new Map()
  #count = 0

  static async connect(port) {
    const marionette = new Marionette()
    const socket = net.connect(port, '127.0.0.1')
    marionette.#socket = socket
    socket.on('data', (data) => marionette.#receive(data))
    const fail = (error) => {
      for (const { reject } of marionette.#waiting.values()) reject(error)
      marionette.#waiting.clear()
    }
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('Firefox has closed its connection')))
    return marionette
  }

  #receive(data) {
    this.#text = Buffer.concat([this.#text, data])
    for (;;) {
      const colon = this.#text.indexOf(':')
      if (colon < 0) return
      const end = colon + 1 + Number(this.#text.subarray(0, colon))
      if (this.#text.length < end) return
      const message = JSON.parse(this.#text.subarray(colon + 1, end))
      this.#text = this.#text.subarray(end)
      // The first message is a greeting.
      if (!Array.isArray(message)) continue
      const [, number, error, result] = message
      const { resolve, reject } = this.#waiting.get(number)
      this.#waiting.delete(number)
      error ? reject(new WebDriverError(error)) : resolve(result)
    }
  }

  send(name, parameters) {
    const number = ++this.#count
    const message = Buffer.from(JSON.stringify([0, number, name, parameters]))
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) throw new Error('Firefox has closed its connection')
      this.#waiting.set(number, { resolve, reject })
      // Write one piece: data after a short piece would wait until the short piece is acknowledged.
      this.#socket.write(Buffer.concat([Buffer.from(`${message.length}:`), message]))
    })
  }

  close() { this.#socket.destroy() }
}
