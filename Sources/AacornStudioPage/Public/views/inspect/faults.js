import { h } from '../../dom.js'
import { faultCounts } from './facts.js'
import { PlaceList, placeLine } from './placelist.js'
import { counted, grouped, hexadecimal } from './words.js'

const kinds = { error: 'danger', warning: 'warning' }

/** The list of faults: severity, position, message. Each fault goes to its frame and calls `onPick(frame)`. */
export class FaultList extends PlaceList {
  constructor(actions) { super('faults', actions) }

  show({ faults, faultCounts: counts }) {
    const unlistedCount = counts.errors + counts.warnings + counts.notes - faults.length
    this.showPlaces(faults, 'Faults', faultCounts(counts), unlistedCount > 0
      && `${counted(unlistedCount, 'more fault')} counted, but not listed. `
        + 'The table of frames marks them.')
  }

  line({ severity, message, frame, offset, length }) {
    return placeLine([severity, kinds[severity] ?? ''], message, [
      `frame ${grouped(frame)}, byte ${grouped(offset)} (`,
      h('span', { class: 'code' }, hexadecimal(offset)),
      length > 0 ? `), ${counted(length, 'byte')}` : ')'
    ], () => this.onPick(frame))
  }
}
