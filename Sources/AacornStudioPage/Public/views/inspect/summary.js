import { h, replace } from '../../dom.js'
import { facts } from './facts.js'

/**
 * Returns a table with the facts of a file, or of two files side by side with their differences marked. `sides`
 * are finished inspections. `isNamed` adds a header with the file names.
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

/** Merges the facts of all lists in the order of the first list; other facts are inserted at their position. */
function merged(lists) {
  const rows = []
  lists.forEach((list, side) => {
    let insertion = 0
    for (const { key, label, text } of list) {
      let index = rows.findIndex(row => row.key === key)
      if (index < 0) {
        index = insertion
        rows.splice(insertion, 0, { key, label, texts: lists.map(() => null) })
      }
      rows[index].texts[side] = text
      insertion = index + 1
    }
  })
  return rows
}

/** Shows the facts of all finished inspections; files without AAC have none. */
export function showSummary(element, sides) {
  const done = sides.filter(side => side.report && side.report.frameCount > 0)
  if (done.length === 0) replace(element)
  else replace(element, summaryTable(done, sides.length > 1))
}
