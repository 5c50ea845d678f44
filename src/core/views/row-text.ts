/** What a plain text search looks at: all that the row of a list shows. */
import { slotOf } from '../engine/faults/world.ts'
import type { World } from '../engine/world.ts'
import { type Role, roles, shortRoleName } from '../protocol/role.ts'
import type { EntityRow } from '../session-api/entities.ts'
import type { AgendaRow, JournalRow, OrderRow } from '../session-api/session-api.ts'
import { containsWords, type TextTest } from '../traffic/contains-words.ts'

const joined = (...parts: readonly (string | number | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' ')

const shortName = (by: string): string =>
  roles.some((role) => role === by) ? shortRoleName[by as Role] : by

const slot = (orderId: string | undefined, world: World): string | undefined =>
  orderId === undefined ? undefined : slotOf(world.faults, orderId)

const journalText = ({ seq, kind, text, orderId, by }: JournalRow, world: World): string =>
  joined(`#${seq}`, kind, text, orderId, slot(orderId, world), by, shortName(by))

const agendaText = (row: AgendaRow, world: World): string => {
  const { id, text, kind, orderId, effect, fault, waits, held, copyOf, edited } = row
  const notes = [held && 'held', copyOf !== undefined && 'copy', edited && 'edited']
  const words = notes.filter((note) => typeof note === 'string')
  return joined(`#${id}`, text, kind, orderId, slot(orderId, world), effect, fault, waits, ...words)
}

const orderText = (row: OrderRow, world: World): string => {
  const { orderId, displayId, profile, status, merchant, customer, amount, cancellation } = row
  const believed = row.believed === undefined ? undefined : `SS ${row.believed}`
  const names = joined(orderId, slot(orderId, world), displayId, profile, status, merchant)
  return joined(names, customer, amount, cancellation, believed)
}

const entityText = (row: EntityRow, world: World): string =>
  joined(
    row.id,
    row.label,
    row.status,
    row.text,
    row.orderId,
    slot(row.orderId, world),
    row.merchant,
  )

const textsOfRows = {
  journal: journalText,
  agenda: agendaText,
  orders: orderText,
  entities: entityText,
} as const

interface Rows {
  readonly journal: JournalRow
  readonly agenda: AgendaRow
  readonly orders: OrderRow
  readonly entities: EntityRow
}

/** A test of the rows of one list; undefined without words to search for. */
export function rowTest<Kind extends keyof Rows>(
  kind: Kind,
  contains: string | undefined,
  world: World,
): ((row: Rows[Kind]) => boolean) | undefined {
  const test: TextTest | undefined = containsWords(contains)
  const text = textsOfRows[kind] as (row: Rows[Kind], world: World) => string
  return test && ((row) => test(text(row, world)))
}
