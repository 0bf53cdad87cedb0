// The keys and the buttons of a recording, without a browser: no accident ends a recording.

import assert from 'node:assert/strict'
import { test } from 'node:test'

/** An element with the parts of the interface that the buttons use. */
class Element extends EventTarget {
  static TEXT_NODE = 3
  children = []
  dataset = {}
  disabled = false
  classList = { toggle() {} }
  #attributes = {}

  constructor(tag) {
    super()
    this.tag = tag
  }

  get firstChild() { return this.children[0] }
  get lastChild() { return this.children.at(-1) }
  append(...children) { this.children.push(...children) }
  replaceWith() {}
  setAttribute(name, value) { this.#attributes[name] = value }
  getAttribute(name) { return this.#attributes[name] ?? null }
  removeAttribute(name) { delete this.#attributes[name] }
  closest(selector) { return selector.split(', ').includes(this.tag) ? this : null }

  /** Clicks with a pointer; `detail` is the count of clicks, and 0 for a key. */
  click(detail = 0) { this.dispatchEvent(Object.assign(new Event('click'), { detail })) }

  /** Presses a key, which clicks a button unless an event is canceled, as in browsers. */
  press(key, { repeat = false } = {}) {
    const send = type => this.dispatchEvent(
      Object.assign(new Event(type, { cancelable: true }), { key, repeat }))
    const isDown = send('keydown')
    if (key === 'Enter' && isDown) this.click()
    // Firefox ignores a canceled keydown here.
    if (key === ' ' && send('keyup')) this.click()
  }
}

const body = new Element('body')
let now = 0
Object.assign(globalThis, {
  Node: Element, document: {
    createElement: tag => new Element(tag), createElementNS: (_, tag) => new Element(tag)
  }
})
performance.now = () => now
const page = new URL('../../Sources/AacornStudioPage/Public/views/transport.js', import.meta.url)
const { factList, transportControls } = await import(page)

/** Controls whose actions are listed, and change the phase as the studio does. */
function controls() {
  const done = []
  const act = (name, phase) => () => {
    done.push(name)
    if (phase) made.show(phase, '', '')
  }
  const made = transportControls({
    start: act('start', 'recording'), stop: act('stop', 'idle'), pause: act('pause', 'paused'),
    resume: act('resume', 'recording'), listen: act('listen')
  }, factList('facts', [['size', 'Size']]))
  made.show('idle', '', '')
  return { ...made, done }
}

test('the space bar pauses and resumes, and never ends a recording', () => {
  const { main, press, done } = controls()
  assert.equal(press(' ', body), false)
  main.press(' ')
  now += 60_000
  main.press(' ')
  main.press(' ', { repeat: true })
  assert.equal(press(' ', body), true)
  // Another button has its own use for the space bar.
  assert.equal(press(' ', new Element('button')), false)
  assert.deepEqual(done, ['start', 'pause', 'resume'])
})

test('keys end a recording only a second after its start', () => {
  const { main, press, done } = controls()
  main.press('Enter')
  for (const _ of Array(50)) main.press('Enter', { repeat: true })
  main.press('Enter')
  press('r', body)
  now += 999
  main.press('Enter')
  assert.deepEqual(done, ['start'])
  now += 1
  main.press('Enter')
  press('r', body)
  now += 1000
  press('r', body)
  assert.deepEqual(done, ['start', 'stop', 'start', 'stop'])
})

test('a double click is one command', () => {
  const { main, done } = controls()
  main.click(1)
  main.click(2)
  assert.deepEqual(done, ['start'])
  main.click(1)
  main.click(2)
  assert.deepEqual(done, ['start', 'stop'])
})
