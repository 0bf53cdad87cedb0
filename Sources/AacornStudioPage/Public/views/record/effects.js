// The effects on the input, before and during a recording.

import { announce, h, replace, showText, uniqueId } from '../../dom.js'
import { check, field } from './controls.js'

/**
 * Creates `{element, value, restore(text), reject(message), settle(), focus(), setPhase(isConnected),
 * setPresets(names), showLive(state)}`. `onchange` is called when the user has changed the text, `onbypass`
 * with whether to bypass the effects.
 */
export function effectChoice({ onchange, onbypass }) {
  const presets = h('datalist', { id: uniqueId('presets') })
  const problem = h('p', { class: 'problem', hidden: true })
  const hint = h('p', { class: 'hint' },
    'Choose a preset such as “speech”, or type effects: “highpass 80, limiter -1”.')
  const input = h('input', {
    type: 'text', list: presets.id, maxlength: 2000, autocomplete: 'off', spellcheck: 'false',
    autocapitalize: 'off', placeholder: 'None', onchange: changed
  })
  const bypass = check('Bypass the effects', { onchange: () => onbypass(bypass.input.checked) })
  bypass.element.hidden = true
  const element = h('div', { class: 'stack' },
    field('Effects', input, h('div', hint, problem)), presets, bypass.element)

  let known = ''
  /** Whether the user has changed the text, and the studio has not accepted it yet. */
  let isOwn = false

  const text = () => input.value.trim()

  function changed() {
    if (text().toLowerCase() === 'none') input.value = ''
    isOwn = true
    onchange()
  }

  function reject(message) {
    input.setAttribute('aria-invalid', String(Boolean(message)))
    if (message && problem.textContent !== message) announce(message, 'assertive')
    showText(problem, message)
  }

  return {
    element,
    get value() { return text() },
    restore(settings) { input.value = settings ?? '' },
    /** Shows beside the field why the studio rejects its text; the text stays. */
    reject,
    /** Records that the studio has accepted the text. */
    settle() {
      isOwn = false
      reject(null)
    },
    focus() { input.focus() },
    setPhase(isConnected) {
      input.disabled = !isConnected
      bypass.input.disabled = !isConnected
    },
    /** Offers the studio's presets by name. */
    setPresets(names = []) {
      if (known === names.join()) return
      known = names.join()
      replace(presets, ['none', ...names].map(value => h('option', { value })))
    },
    /** Shows the effects of a recording, which another page may have changed. */
    showLive({ recording, settings, isBypassed }) {
      bypass.element.hidden = !recording || !settings?.effects
      bypass.input.checked = Boolean(isBypassed)
      if (recording && !isOwn && document.activeElement !== input) {
        input.value = settings?.effects ?? ''
      }
    }
  }
}
