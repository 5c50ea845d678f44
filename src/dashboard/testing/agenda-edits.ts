/** The test session's agenda: what each command of an operator makes of it. */
import type { AgendaCommand } from '../../engine/command.ts'
import type { AgendaRow } from '../../session-face.ts'

type Rows = readonly AgendaRow[]

export const byDue = (rows: Rows): Rows => rows.toSorted((a, b) => a.due - b.due)

/** The agenda after a command; undefined when the item is gone, or the command is none for keys. */
export function edited(rows: Rows, command: AgendaCommand, newId: number): Rows | undefined {
  if (command.kind === 'agenda.plan') return undefined
  const index = rows.findIndex(({ id }) => id === command.id)
  const item = rows[index]
  if (!item) return undefined
  switch (command.kind) {
    case 'agenda.hold':
      return rows.with(index, { ...item, held: true })
    case 'agenda.release':
      return rows.with(index, { ...item, held: false })
    case 'agenda.drop':
      return rows.toSpliced(index, 1)
    case 'agenda.duplicate':
      return rows.toSpliced(index + 1, 0, { ...item, id: newId, copyOf: item.id })
    case 'agenda.delay':
      return byDue(rows.with(index, { ...item, due: item.due + command.byMs }))
    case 'agenda.move':
      return moved(rows, index, command.to === 'later' ? 1 : -1)
    default:
      return undefined
  }
}

/** An item takes its neighbour's place, and the two exchange their due instants. */
function moved(rows: Rows, index: number, by: 1 | -1): Rows {
  const item = rows[index]
  const other = rows[index + by]
  if (!item || !other) return rows
  return rows.with(index + by, { ...item, due: other.due }).with(index, { ...other, due: item.due })
}
