/** Agenda of the fake session: applies operator commands. */
import type { AgendaCommand } from '../../../src/core/engine/agenda/commands.ts'
import type { AgendaRow } from '../../../src/core/session-api/session-api.ts'

type Rows = readonly AgendaRow[]

export const sortedByDue = (rows: Rows): Rows => rows.toSorted((a, b) => a.due - b.due)

/** Agenda after a command; undefined when the item is gone or the command is unsupported. */
export function editAgenda(rows: Rows, command: AgendaCommand, newId: number): Rows | undefined {
  if (!('id' in command)) return undefined
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
      return sortedByDue(rows.with(index, { ...item, due: item.due + command.byMs }))
    case 'agenda.move':
      return moved(rows, index, placeOf(rows, index, command.to))
    default:
      return undefined
  }
}

type Move = Extract<AgendaCommand, { kind: 'agenda.move' }>

const placeOf = (rows: Rows, index: number, to: Move['to']): number =>
  typeof to === 'string'
    ? index + (to === 'later' ? 1 : -1)
    : rows.findIndex(({ id }) => id === to.place)

/** Moves an item to the index of another; due instants keep their positions, only the order changes. */
function moved(rows: Rows, index: number, place: number): Rows {
  const item = rows[index]
  if (!item || !rows[place]) return rows
  const dues = rows.map(({ due }) => due)
  const order = rows.toSpliced(index, 1).toSpliced(place, 0, item)
  return order.map((row, at) => ({ ...row, due: dues[at] ?? row.due }))
}
