// The list of gaps and messages, the newest first.

import { announce, h, icon, replace, setText, toast } from '../../dom.js'
import { count, timeOfDay } from '../../format.js'

const shown = 40

/** Creates `{element, show(state)}`. */
export function eventList() {
  const summary = h('span', { class: 'muted small' })
  const list = h('ol', { class: 'event-list', 'aria-labelledby': 'happened-title' })
  const empty = h('p', { class: 'muted' },
    'No events yet. Gaps, disconnected devices and messages from outputs appear here.')
  const element = h('section', { class: 'card', 'aria-labelledby': 'happened-title' },
    h('header', h('h2', { id: 'happened-title' }, 'Events'), summary), empty, list)
  let key = null
  let lastMessage = null
  let lastGap = { name: null, count: 0 }

  /** Announces new events, except the ones from before the page was opened. */
  function announceNew(state) {
    const { messages = [], recording } = state
    const newest = Math.max(0, ...messages.map(message => message.id))
    if (lastMessage !== null) {
      for (const message of messages.filter(message => message.id > lastMessage)) {
        if (message.severity === 'error') toast(message.text, { kind: 'error' })
        else if (message.severity === 'warning') announce(message.text)
      }
    }
    lastMessage = newest
    const gaps = recording?.gapCount ?? 0
    if (recording && recording.name === lastGap.name && gaps > lastGap.count) {
      announce(`${count(gaps - lastGap.count, 'new gap')} in the recording.`)
    }
    lastGap = { name: recording?.name ?? null, count: gaps }
  }

  return {
    element,
    show(state) {
      const { messages = [], recording } = state
      const gaps = recording?.gaps ?? []
      const newKey = `${messages.at(-1)?.id}/${messages.at(-1)?.at}/${recording?.name}/`
        + `${recording?.gapCount}/${gaps.length}`
      if (newKey === key) return
      key = newKey
      announceNew(state)
      setText(summary, recording?.gapCount
        ? `${count(recording.gapCount, 'gap')}, `
          + `${(recording.filledSeconds ?? 0).toFixed(2)} s filled with silence`
        : '')
      const rows = [
        ...messages.map(({ at, severity, text }) => ({ at, kind: severity, text })),
        ...gaps.map(({ at, words }) => ({ at, kind: 'warning', text: words, isGap: true }))
      ].sort((one, other) => other.at - one.at).slice(0, shown)
      empty.hidden = rows.length > 0
      replace(list, rows.map(row => h('li', { class: row.kind },
        h('time', { datetime: new Date(row.at).toISOString() }, timeOfDay(row.at)),
        row.kind === 'note'
          ? h('span', { class: 'bullet', 'aria-hidden': 'true' }) : icon('warning'),
        h('span', { class: 'grow' },
          row.kind !== 'note' && h('span', { class: 'visually-hidden' },
            row.isGap ? 'Gap: ' : row.kind === 'error' ? 'Error: ' : 'Warning: '),
          row.text))))
      // Makes the list scrollable by keys.
      if (list.scrollHeight > list.clientHeight) list.tabIndex = 0
      else list.removeAttribute('tabindex')
    }
  }
}
