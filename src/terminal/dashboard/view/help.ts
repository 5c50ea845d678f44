/** The help: every key binding by group, in as many columns as fit. */
import { type KeyBinding, type KeyGroup, keyGroups } from '../keys/binding.ts'
import { keyBindings } from '../keys/catalogue.ts'
import { bindingKeysText, helpLine, keysWidth } from '../keys/documented-key.ts'
import { containsWords } from '../../../core/traffic/contains-words.ts'
import { cellWidth } from './text/cells.ts'
import { emptyRow, type Row, row, span } from './text/row.ts'

interface MouseGesture {
  readonly gesture: string
  readonly title: string
}

/** What the mouse does. */
export const mouseGestures: readonly MouseGesture[] = [
  { gesture: 'wheel', title: 'scroll what is under the pointer' },
  { gesture: 'click', title: 'choose a row; a tab or hint: its key' },
  { gesture: 'double click', title: 'open the row' },
  { gesture: 'shift+drag', title: 'select text by the terminal itself' },
]

/** Headings of groups, where they differ from the group's name. */
const headings: Partial<Readonly<Record<KeyGroup, string>>> = {
  agenda: 'agenda, in pane 5',
  filter: 'filter: confirm  status>=400  from:SS  !confirm  /regex/',
}

const labelWidth = (): number =>
  Math.max(keysWidth(keyBindings), ...mouseGestures.map(({ gesture }) => cellWidth(gesture)))

/** The keys with the words that are searched for; all without words. */
export function foundBindings(search: string | undefined): readonly KeyBinding[] {
  const test = containsWords(search)
  if (!test) return keyBindings
  return keyBindings.filter((binding) =>
    test(`${bindingKeysText(binding)} ${binding.title} ${binding.group}`),
  )
}

/** What the mouse does, of what has the words that are searched for. */
export function foundGestures(search: string | undefined): readonly MouseGesture[] {
  const test = containsWords(search)
  return mouseGestures.filter(({ gesture, title }) => test?.(`${gesture} ${title} mouse`) ?? true)
}

function mouseRows(width: number, search: string | undefined): readonly Row[] {
  const lines = foundGestures(search).map(({ gesture, title }) =>
    helpLine(gesture, title, { width, keyWidth: labelWidth() }),
  )
  return lines.length === 0 ? [] : [row(span(' mouse', 'strong')), ...lines, emptyRow]
}

/** Before the title of a key that does nothing in a viewer that only looks. */
const offSign = '- '

function bindingRow(binding: KeyBinding, width: number, readOnly: boolean): Row {
  const keys = bindingKeysText(binding)
  const isOff = readOnly && binding.changes === true
  return isOff
    ? helpLine(keys, `${offSign}${binding.title}`, { width, keyWidth: labelWidth(), tone: 'muted' })
    : helpLine(keys, binding.title, { width, keyWidth: labelWidth() })
}

function groupRows(
  group: KeyGroup,
  width: number,
  bindings: readonly KeyBinding[],
  readOnly: boolean,
): readonly Row[] {
  const own = bindings.filter((binding) => binding.group === group)
  if (own.length === 0) return []
  return [
    row(span(` ${headings[group] ?? group}`, 'strong')),
    ...own.map((binding) => bindingRow(binding, width, readOnly)),
    emptyRow,
  ]
}

/** Cells between two columns. */
const gapWidth = 2

/** Column width at which no line is cut. */
function uncutWidth(readOnly: boolean): number {
  const titles = Math.max(
    ...keyBindings.map(({ title, changes }) =>
      cellWidth(readOnly && changes ? `${offSign}${title}` : title),
    ),
  )
  const longestHeading = Math.max(
    ...keyGroups.map((group) => 1 + cellWidth(headings[group] ?? group)),
  )
  return Math.max(labelWidth() + 2 + titles, longestHeading)
}

const readOnlyRows: readonly Row[] = [
  row(
    span(' read-only: ', 'warn'),
    span(`keys with "${offSign.trim()}" change the session, and do nothing here`),
  ),
  emptyRow,
]

/**
 * All keys, or those with the words that are searched for; of a viewer that only looks, those that are off are marked.
 */
export function helpRows(width: number, search?: string, readOnly = false): readonly Row[] {
  const bindings = foundBindings(search)
  const isRoomFor = (count: number): boolean =>
    width >= count * uncutWidth(readOnly) + (count - 1) * gapWidth
  const count = isRoomFor(3) ? 3 : isRoomFor(2) ? 2 : 1
  const own = Math.floor((width - (count - 1) * gapWidth) / count)
  const blocks = [
    ...keyGroups.map((group) => groupRows(group, own, bindings, readOnly)),
    mouseRows(own, search),
  ]
  const sides = balancedColumns(blocks, count)
  const height = Math.max(...sides.map((side) => side.length))
  const rows = Array.from({ length: height }, (_, index): Row => {
    const spans = sides.flatMap((side, at) => {
      const each = side[index]?.spans ?? []
      const used = each.reduce((sum, { text }) => sum + cellWidth(text), 0)
      const gap = at === sides.length - 1 ? 0 : Math.max(0, own - used) + gapWidth
      return [...each, span(' '.repeat(gap))]
    })
    return { spans }
  })
  return readOnly ? [...readOnlyRows, ...rows] : rows
}

/** Distributes blocks in order over columns of about equal height. */
function balancedColumns(
  blocks: readonly (readonly Row[])[],
  count: number,
): readonly (readonly Row[])[] {
  const total = blocks.reduce((sum, block) => sum + block.length, 0)
  const sides: Row[][] = Array.from({ length: count }, () => [])
  let side = 0
  for (const block of blocks) {
    const current = sides[side]
    const full =
      current !== undefined &&
      current.length > 0 &&
      current.length + block.length / 2 > total / count
    if (full && side < count - 1) side++
    sides[side]?.push(...block)
  }
  return sides
}
