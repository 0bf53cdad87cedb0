import { h, replace } from '../../dom.js'
import { ago, clock, size } from '../../format.js'
import { arranged, canInspect } from '../recordings.js'

/** The maximum number of listed recordings; the search finds the others. */
const limit = 100

/** Prompts the user for a recording of the studio's library; returns its entry, or null. */
export function pickRecording(studio) {
  return new Promise(resolve => {
    let recordings = []
    const list = h('ul', { class: 'picker-list', role: 'list' })
    const search = h('input', {
      type: 'search', placeholder: 'Search', 'aria-label': 'Search the recordings by name',
      autocomplete: 'off', spellcheck: 'false', oninput: () => show()
    })
    const dialog = h('dialog', { class: 'picker', 'aria-label': 'Choose a recording' },
      h('div', { class: 'picker-header' }, h('h2', 'Choose a recording'),
        h('button', { class: 'quiet', onclick: () => dialog.close() }, 'Cancel')),
      search, list)
    let chosen = null
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(chosen)
    })
    dialog.addEventListener('click', event => {
      if (event.target === dialog) dialog.close()
    })
    const show = () => {
      const found = arranged(recordings, search.value, 'newest')
      replace(list, found.slice(0, limit).map(recording => h('li', null, h('button', {
        class: 'quiet picker-entry',
        onclick: () => {
          chosen = recording
          dialog.close()
        }
      },
      h('span', { class: 'picker-name' }, recording.name),
      h('span', { class: 'hint' }, [
        ago(recording.modified), recording.seconds === null ? null : clock(recording.seconds),
        size(recording.bytes)
      ].filter(Boolean).join('  ·  '))))),
      found.length === 0 && h('li', { class: 'hint' }, search.value
        ? `No name contains “${search.value}”.`
        : 'There is no AAC recording in the library yet.'),
      found.length > limit && h('li', { class: 'hint' },
        `${found.length - limit} more; search for a part of the name.`))
    }
    replace(list, h('li', { class: 'hint' }, 'Reading the library…'))
    document.body.append(dialog)
    dialog.showModal()
    search.focus()
    studio.get('/api/recordings').then(library => {
      recordings = library.recordings.filter(recording =>
        canInspect(recording)
          && !['recording', 'growing', 'uploading'].includes(recording.status))
      show()
    }, error => replace(list, h('li', { class: 'problem', role: 'alert' }, error.message)))
  })
}
