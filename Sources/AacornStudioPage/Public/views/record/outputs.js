// The streams in addition to the file: chosen before a recording, monitored during it.

import { h, icon, replace, setText, showText } from '../../dom.js'
import { count, shortPath, size } from '../../format.js'
import { field, group, recall, remember } from './controls.js'

const kinds = {
  icecast: {
    name: 'Icecast', address: 'icecast://radio.example:8000/live.aac', secret: 'Password'
  },
  rtmp: { name: 'RTMP', address: 'rtmp://live.example/app', secret: 'Stream key' },
  hls: { name: 'HLS' }
}

/** Returns the address with its secret, in the form for the server. */
function outputOf(kind, address, user, secret) {
  if (kind === 'hls') return 'hls'
  if (kind === 'rtmp') return secret ? `${address.replace(/\/+$/, '')}/${secret}` : address
  if (!secret) return address
  const [scheme, rest] = address.split('://')
  const server = rest.slice(rest.indexOf('@') + 1)
  const login = `${encodeURIComponent(user || 'source')}:${encodeURIComponent(secret)}`
  return `${scheme}://${login}@${server}`
}

/**
 * Creates `{element, check(), fields(), setPhase(isFree), setSchemes(schemes), showFolder(path),
 * showLive(outputs)}`.
 */
export function outputChoice() {
  const rows = h('div', { class: 'stack' })
  const intro = h('p', { class: 'hint' }, 'Stream to a server while recording.')
  const add = {}
  for (const [kind, { name }] of Object.entries(kinds)) {
    add[kind] = h('button', { class: 'small', onclick: () => addRow(kind, {}, true) },
      icon('plus'), name)
  }
  const editor = group('Streams in addition to the file', intro, rows,
    h('div', { class: 'toolbar', role: 'group', 'aria-label': 'Add a stream' }, Object.values(add)))
  const live = h('ul', { class: 'outputs-live', hidden: true })
  let liveRows = []
  const folder = h('p', { class: 'hint clip', hidden: true })
  const element = h('div', { class: 'stack' }, folder, editor, live)
  const chosen = []
  /** The valid schemes of addresses, by the kind of their server, as reported by the studio. */
  let schemes = {}

  /** Whether a text can be the address of such a server, as far as the page can check. */
  function isAddress(kind, text) {
    const [scheme, server] = text.split('://')
    return Boolean(server) && (schemes[kind]?.includes(scheme) ?? true)
  }

  function addRow(kind, { address = '', user = '' }, isNew = false) {
    const { name, secret } = kinds[kind]
    const row = { kind }
    const remove = h('button', {
      class: 'quiet icon-only', title: `Remove ${name}`, 'aria-label': `Remove ${name}`,
      onclick: () => {
        chosen.splice(chosen.indexOf(row), 1)
        box.remove()
        add[kind].focus()
        changed()
      }
    }, icon('close'))
    const box = h('fieldset', { class: 'output' }, h('legend', { class: 'visually-hidden' }, name),
      h('div', { class: 'row' }, h('h3', { class: 'grow' }, name), remove))
    const fields = []
    if (kind === 'hls') {
      box.append(h('p', { class: 'hint' },
        'Players on this network can open the stream at the studio’s address. The link appears '
          + 'here during a recording. HLS does not carry the title and the artist.'))
    } else {
      const input = (type, attributes) => h('input', {
        type, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off',
        onchange: changed, ...attributes
      })
      const problem = h('p', { class: 'problem', hidden: true })
      row.address = input('url', {
        value: address, placeholder: kinds[kind].address,
        oninput: () => row.address.ariaInvalid === 'true' && row.check()
      })
      row.user = kind === 'icecast' ? input('text', { value: user, placeholder: 'source' }) : null
      row.secret = input('password', { autocomplete: 'new-password' })
      row.check = () => {
        const isFine = isAddress(kind, row.address.value.trim())
        row.address.setAttribute('aria-invalid', String(!isFine))
        showText(problem, !isFine && `Enter an address such as ${kinds[kind].address}.`)
        return isFine
      }
      fields.push(field('Address', row.address, problem))
      const secretField = field(secret, row.secret)
      fields.push(row.user
        ? h('div', { class: 'pair' }, field('User', row.user), secretField) : secretField)
    }
    box.append(...fields)
    chosen.push(row)
    rows.append(box)
    if (isNew) (row.address ?? remove).focus()
    changed()
  }

  function changed() {
    intro.hidden = chosen.length > 0
    add.hls.disabled = chosen.some(row => row.kind === 'hls')
    remember('outputs', chosen.map(row => ({
      kind: row.kind, address: withoutSecret(row.kind, row.address?.value), user: row.user?.value
    })))
  }

  for (const row of recall('outputs') ?? []) {
    if (Object.hasOwn(kinds, row.kind)) addRow(row.kind, row)
  }

  return {
    element,
    /** Checks the addresses; marks the invalid ones and moves the focus to the first. */
    check() {
      const wrong = chosen.filter(row => row.check && !row.check())
      wrong[0]?.address.focus()
      return wrong.length === 0
    },
    fields() {
      return {
        output: chosen.map(row => outputOf(
          row.kind, row.address?.value.trim(), row.user?.value.trim(), row.secret?.value))
      }
    },
    setPhase(isFree) { editor.disabled = !isFree },
    setSchemes(known = {}) { schemes = known },
    showFolder(path) {
      showText(folder, path && `Files go to ${shortPath(path, 30)}`)
      folder.title = path ?? ''
    },
    /** Shows the states of a recording's streams; null when there is no recording. */
    showLive(outputs) {
      editor.hidden = Boolean(outputs)
      live.hidden = !outputs
      if (!outputs) return
      // Keep the rows, since a link in them may have the focus.
      if (liveRows.length !== outputs.length) {
        liveRows = outputs.map(liveRow)
        replace(live, liveRows.map(row => row.element))
      }
      liveRows.forEach((row, index) => row.show(outputs[index]))
    }
  }
}

/** Returns an address without password, query and stream key, which follows the app in an RTMP address. */
function withoutSecret(kind, address = '') {
  const bare = address.replace(/^(\w+:\/\/)[^/]*@/, '$1').replace(/\?.*$/, '')
  return kind === 'rtmp' ? bare.replace(/^(\w+:\/\/[^/]*\/[^/]*)\/.*$/, '$1') : bare
}

const words = {
  opening: ['Connecting', ''], live: ['Live', 'good'], reconnecting: ['Reconnecting', 'warning'],
  failed: ['Failed', 'danger'], ended: ['Ended', '']
}
const names = { file: 'File', icecast: 'Icecast', rtmp: 'RTMP', hls: 'HLS' }

/** Creates a row for a stream: `{element, show(output)}`. */
function liveRow() {
  const kind = h('strong')
  const facts = h('span', { class: 'small muted number' })
  const badge = h('span')
  const name = h('p', { class: 'small muted clip' })
  const detail = h('p')
  const link = h('a', 'Playlist')
  const address = h('span', { class: 'muted' })
  const playlist = h('p', { class: 'small' }, link, address)
  return {
    element: h('li', h('div', { class: 'row' }, kind, facts, badge), name, detail, playlist),
    show(output) {
      const known = names[output.kind] ?? output.kind
      const [word, mood] = output.kind === 'file' && output.state === 'live'
        ? ['Writing', 'good'] : words[output.state] ?? [output.state, '']
      setText(kind, known)
      setText(facts, [
        // The size of the file is one of the facts of the recording.
        output.bytes && output.kind !== 'file' ? size(output.bytes) : null,
        output.dropped ? `${count(output.dropped, 'frame')} dropped` : null
      ].filter(Boolean).join(' · '))
      setText(badge, word)
      badge.className = `badge spread ${mood}`
      name.hidden = !output.name || output.name === known
      name.title = output.name ?? ''
      setText(name, output.name ?? '')
      detail.hidden = !output.detail
      detail.className = mood === 'danger' ? 'problem' : 'hint'
      setText(detail, output.detail ?? '')
      playlist.hidden = !output.url
      if (!output.url) return
      const { href } = new URL(output.url, location.href)
      if (link.href !== href) link.href = href
      setText(address, ` ${href}`)
    }
  }
}
