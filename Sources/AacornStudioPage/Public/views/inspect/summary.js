import { h, replace } from '../../dom.js'
import { facts } from './facts.js'

/**
 * The facts of one file, or of two beside each other with those marked that differ; `sides` are
 * inspections that are done. `isNamed` says above the facts which file they are of.
 */
function summaryTable(sides, isNamed) {
  const lists = sides.map(side => facts(side.report))
  const rows = merged(lists)
  const isPair = sides.length === 2
  const differing = rows.filter(row => isPair && differs(row)).length
  const caption = isPair
    ? differing === 0 ? 'All facts match.' : `${differing} of ${rows.length} facts differ.`
    : null
  return h('div', { class: 'summary' },
    isPair && h('p', { class: 'hint' }, caption),
    h('table', { class: isNamed ? 'summary-table comparing' : 'summary-table' },
      h('caption', { class: 'visually-hidden' }, 'What the files contain'),
      isNamed && h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Fact'),
        sides.map(side => h('th', { scope: 'col' }, side.name)))),
      h('tbody', null, rows.map(row => line(row, isPair)))))
}

function line(row, isPair) {
  const isDifferent = isPair && differs(row)
  const label = h('th', { scope: 'row' }, row.label)
  if (isDifferent) {
    label.append(h('span', { class: 'differs-mark', 'aria-hidden': 'true' }, '≠'),
      h('span', { class: 'visually-hidden' }, ' (differs)'))
  }
  return h('tr', { class: isDifferent ? 'differs' : null, 'data-fact': row.key }, label,
    row.texts.map(text => h('td', null, text ?? h('span', { class: 'muted' }, '–'))))
}

function differs(row) {
  return row.texts[0] !== row.texts[1]
}

/** The facts of all lists in the order of the first; what only another has comes in its place. */
function merged(lists) {
  const rows = []
  lists.forEach((list, side) => {
    let place = 0
    for (const { key, label, text } of list) {
      let index = rows.findIndex(row => row.key === key)
      if (index < 0) {
        index = place
        rows.splice(place, 0, { key, label, texts: lists.map(() => null) })
      }
      rows[index].texts[side] = text
      place = index + 1
    }
  })
  return rows
}

/** Shows the facts of all inspections that are done; of files without AAC there are none. */
export function showSummary(element, sides) {
  const done = sides.filter(side => side.report && side.report.frameCount > 0)
  if (done.length === 0) replace(element)
  else replace(element, summaryTable(done, sides.length > 1))
}
