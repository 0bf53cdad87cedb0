import { h, icon } from '../../dom.js'

/** The buttons that zoom a plot; `subject` names its content for screen readers. */
export class ZoomButtons {
  #closer
  #wider
  #whole

  constructor(plot, subject) {
    const button = (content, title, label, onclick) =>
      h('button', { class: 'quiet', title, 'aria-label': label, onclick }, content)
    this.#closer = button(icon('plus'), 'Zoom in', `Zoom in on the ${subject}`,
      () => plot.zoom(0.5))
    this.#wider = button('−', 'Zoom out', `Zoom out of the ${subject}`, () => plot.zoom(2))
    this.#whole = button('All', 'Show the whole file', `All: show the whole ${subject}`,
      () => plot.showWhole())
    this.element = h('span', { class: 'rate-buttons' }, this.#closer, this.#wider, this.#whole)
  }

  update({ showsAll, isClosest }) {
    this.#wider.disabled = showsAll
    this.#whole.disabled = showsAll
    this.#closer.disabled = isClosest
  }
}
