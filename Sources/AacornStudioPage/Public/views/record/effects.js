// What the sound goes through, before it is recorded and while it is.

import { announce, h, replace, setText, uniqueId } from '../../dom.js'
import { check, field } from './controls.js'

/**
 * Makes `{element, value, restore(text), refuse(sentence), settle(), focus(), setPhase(isConnected),
 * setPresets(names), showLive(state)}`; `onchange` is called when a person has written another text,
 * `onbypass` with whether the effects are to be out of the way.
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

  /** What the list of presets is made of. */
  let known = ''
  /** Whether the studio has not agreed yet to what was written here. */
  let isOwn = false

  const text = () => input.value.trim()

  function changed() {
    if (text().toLowerCase() === 'none') input.value = ''
    isOwn = true
    onchange()
  }

  function refuse(sentence) {
    problem.hidden = !sentence
    input.setAttribute('aria-invalid', String(Boolean(sentence)))
    if (sentence && problem.textContent !== sentence) announce(sentence, 'assertive')
    setText(problem, sentence ?? '')
  }

  return {
    element,
    get value() { return text() },
    restore(settings) { input.value = settings ?? '' },
    /** Says at the field why the studio does not take what is in it; the text stays. */
    refuse,
    /** The studio has taken it. */
    settle() {
      isOwn = false
      refuse(null)
    },
    focus() { input.focus() },
    setPhase(isConnected) {
      input.disabled = !isConnected
      bypass.input.disabled = !isConnected
    },
    /** Offers presets, whose names the studio knows. */
    setPresets(names = []) {
      if (known === names.join()) return
      known = names.join()
      replace(presets, ['none', ...names].map(value => h('option', { value })))
    },
    /** Shows what a recording goes through, which another page may have changed. */
    showLive({ recording, settings, isBypassed }) {
      bypass.element.hidden = !recording || !settings?.effects
      bypass.input.checked = Boolean(isBypassed)
      if (recording && !isOwn && document.activeElement !== input) {
        input.value = settings?.effects ?? ''
      }
    }
  }
}
