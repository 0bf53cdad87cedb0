// The page: its header, the view that the hash of the address selects, the connection state, and the title.

import { Studio } from './studio.js'
import { announce, h, icon, replace, setText } from './dom.js'
import { clock } from './format.js'
import { changeTheme, themeMode } from './theme.js'

const titles = { record: 'Record', library: 'Library', inspect: 'Inspect', browser: 'Convert' }
const views = {}
const studio = new Studio()
const element = id => document.getElementById(id)
let current = null

async function show(name) {
  if (name === current) return
  if (current) announce(`${titles[name]}.`)
  views[current]?.handle?.hidden?.()
  current = name
  for (const key of Object.keys(titles)) element(`view-${key}`).hidden = key !== name
  for (const link of document.querySelectorAll('.views a')) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  showTitle()
  const view = views[name] ??= {}
  view.mounted ??= mount(name, view)
  await view.mounted
  if (current === name) view.handle?.shown?.()
}

/** Loads a view when it is first shown. If that fails, the view shows an error, and the other views still work. */
async function mount(name, view) {
  const root = element(`view-${name}`)
  try {
    const module = await import(`./views/${name}.js`)
    view.handle = module.mount(root, studio) ?? {}
  } catch (error) {
    console.error(error)
    view.handle = {}
    const again = () => {
      replace(root)
      view.mounted = mount(name, view)
    }
    replace(root, h('div', { class: 'empty' },
      h('p', `The view “${titles[name]}” could not be loaded.`),
      h('button', { onclick: again }, 'Try again')))
  }
}

function route() {
  const name = location.hash.slice(1).split('/')[0]
  show(Object.hasOwn(titles, name) ? name : 'record')
}

const marks = { recording: '●', paused: '❚❚' }
let seconds = 0

/** Updates the title of the tab. The recording comes first, since tabs are narrow. */
function showTitle() {
  const phase = studio.state?.phase
  const mark = studio.isConnected ? marks[phase] : undefined
  const title = `${titles[current] ?? ''} – Aacorn studio`
  const text = mark ? `${mark} ${clock(seconds)} – Aacorn studio` : title
  if (document.title !== text) document.title = text
}

function showConnection(isConnected) {
  element('connection').dataset.state = isConnected ? 'connected' : 'lost'
  setText(element('connection-word'), isConnected ? 'Connected' : 'Not connected')
  const banner = element('banner')
  const wasShown = !banner.hidden
  banner.hidden = isConnected
  if (isConnected) {
    if (wasShown) announce('Connected again.')
  } else if (studio.isUnknown) {
    replace(banner, `${studio.problem} `,
      h('a', { href: '/', target: '_blank' }, 'Log in again'),
      ', then return to this page. It reconnects automatically.')
  } else {
    setText(banner, studio.problem
      ? `${studio.problem} This page retries automatically.`
      : 'The connection to the studio is lost. A recording continues while “aacorn studio” runs. '
        + 'This page reconnects automatically.')
  }
  showTitle()
}

function showTheme() {
  const mode = themeMode()
  const words = { auto: 'same as the system', light: 'light', dark: 'dark' }
  const button = element('theme')
  replace(button, icon({ auto: 'auto', light: 'sun', dark: 'moon' }[mode]))
  button.title = `Theme: ${words[mode]}`
  button.setAttribute('aria-label', `Theme: ${words[mode]}. Change it.`)
}

element('theme').addEventListener('click', () => {
  changeTheme()
  showTheme()
})
element('skip').addEventListener('click', event => {
  // The hash selects the view, so the link must not change it.
  event.preventDefault()
  element('main').focus()
})
addEventListener('hashchange', route)
studio.addEventListener('connection', event => showConnection(event.detail))
studio.addEventListener('state', showTitle)
studio.addEventListener('meter', event => {
  const before = Math.floor(seconds)
  seconds = event.detail.seconds
  if (Math.floor(seconds) !== before) showTitle()
})
showTheme()
route()
studio.watchVisibility()
studio.connect()
