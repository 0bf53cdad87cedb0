import { h, setText, uniqueId, withoutUnseen } from '../../dom.js'
import { splitName } from './order.js'

/**
 * The form to rename a recording: Enter saves, Escape cancels. Only the part before the suffix can be changed,
 * because the suffix identifies the format. `save(name)` throws an error with a message if the name is
 * rejected; `close()` is called at the end.
 */
export function renameForm(name, { save, close }) {
  const [stem, suffix] = splitName(name)
  const problemID = uniqueId('rename-problem')
  const field = h('input', {
    // Invisible characters could not be edited, and the server rejects them.
    type: 'text', value: withoutUnseen(stem), 'aria-label': `New name of ${name}`, 'aria-describedby': problemID,
    autocomplete: 'off', spellcheck: 'false', maxlength: '200'
  })
  const problem = h('p', { class: 'problem', id: problemID, role: 'alert' })
  const saveButton = h('button', { type: 'submit', class: 'primary' }, 'Save')
  let isSaving = false

  async function submit(event) {
    event.preventDefault()
    const newStem = withoutSuffix(field.value.trim(), suffix)
    if (isSaving) return
    if (newStem + suffix === name) return close()
    if (newStem === '') return showError('A recording needs a name.')
    isSaving = true
    saveButton.disabled = true
    try {
      await save(newStem + suffix)
      close()
    } catch (error) {
      showError(error.message)
    }
    isSaving = false
    saveButton.disabled = false
  }

  function showError(message) {
    setText(problem, message)
    field.setAttribute('aria-invalid', 'true')
    field.focus()
  }

  return h('form', {
    class: 'rename', onsubmit: submit,
    onkeydown: event => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      close()
    }
  },
  h('span', { class: 'rename-field' }, field, h('span', { class: 'recording-suffix' }, suffix)),
  h('span', { class: 'rename-buttons' }, saveButton,
    h('button', { class: 'quiet', onclick: close }, 'Cancel')),
  problem)
}

/** Returns the typed name, without the suffix if the user typed it. */
function withoutSuffix(text, suffix) {
  const hasSuffix = suffix !== '' && text.toLowerCase().endsWith(suffix.toLowerCase())
  return hasSuffix ? text.slice(0, -suffix.length).trimEnd() : text
}
