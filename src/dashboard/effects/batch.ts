/**
 * The same for several items at once, as one step that is undone as one. The agenda is looked at when the turn comes:
 * what was taken meanwhile is left out, and said.
 */
import type { AgendaCommand, ItemEdit } from '../../engine/command.ts'
import type { AgendaRow, SessionApi } from '../../session-api/session-api.ts'
import type { BatchWord, Message, Shown } from '../model/message.ts'
import { isShown, mostLookedAt } from './agenda.ts'
import { refused, tell } from './notice.ts'

interface Batch {
  readonly what: BatchWord
  readonly ids: readonly number[]
  readonly shown: Shown
}

const counted = (count: number): string => `${count} item${count === 1 ? '' : 's'}`

export async function performBatch(face: SessionApi, batch: Batch): Promise<readonly Message[]> {
  const { agenda } = await face.look({ agenda: { limit: mostLookedAt } })
  const wanted = new Set(batch.ids)
  const there = agenda.filter(({ id }) => wanted.has(id))
  if (there.length === 0) return [tell('these items are gone', 'muted'), { kind: 'unmarked' }]
  const made = commandOf(batch, there, agenda)
  if (!made) return [tell('they are there already', 'muted')]
  const result = await face.submit(made.command)
  if (!result.ok) return [refused(result.error)]
  const gone = wanted.size - there.length
  const missing = gone > 0 ? `; ${gone} ${gone === 1 ? 'was' : 'were'} gone` : ''
  return [
    ...(batch.what === 'drop' ? [{ kind: 'unmarked' } as const] : []),
    tell(`${made.told}${missing}`),
  ]
}

interface Made {
  readonly command: AgendaCommand
  readonly told: string
}

function commandOf(
  { what, shown }: Batch,
  there: readonly AgendaRow[],
  agenda: readonly AgendaRow[],
): Made | undefined {
  const edits = (make: (row: AgendaRow) => ItemEdit, rows = there): AgendaCommand => ({
    kind: 'agenda.batch',
    edits: rows.map(make),
  })
  const all = counted(there.length)
  switch (what) {
    case 'hold':
      return toggled(there, edits)
    case 'drop':
      return { command: edits(({ id }) => ({ kind: 'agenda.drop', id })), told: `dropped ${all}` }
    case 'duplicate':
      return {
        command: edits(({ id }) => ({ kind: 'agenda.duplicate', id })),
        told: `duplicated ${all}`,
      }
    case 'delay-1s':
    case 'delay-10s': {
      const byMs = what === 'delay-1s' ? 1000 : 10_000
      return {
        command: edits(({ id }) => ({ kind: 'agenda.delay', id, byMs })),
        told: `put ${all} off by ${byMs / 1000} s`,
      }
    }
    case 'later':
    case 'earlier': {
      const rows = agenda.filter((row) => isShown(row, shown))
      const order = shifted(rows, new Set(there.map(({ id }) => id)), what)
      return order && { command: { kind: 'agenda.arrange', order }, told: `moved ${all} ${what}` }
    }
    default:
      return what satisfies never
  }
}

/** As long as one of them is not held, all are held; then all are released. */
function toggled(
  there: readonly AgendaRow[],
  edits: (make: (row: AgendaRow) => ItemEdit, rows: readonly AgendaRow[]) => AgendaCommand,
): Made {
  const free = there.filter(({ held }) => !held)
  return free.length > 0
    ? {
        command: edits(({ id }) => ({ kind: 'agenda.hold', id }), free),
        told: `held ${counted(free.length)}`,
      }
    : {
        command: edits(({ id }) => ({ kind: 'agenda.release', id }), there),
        told: `released ${counted(there.length)}`,
      }
}

/** Each of the chosen one place on, all that changes of the list in its new order; undefined when nothing does. */
function shifted(
  rows: readonly AgendaRow[],
  chosen: ReadonlySet<number>,
  way: 'later' | 'earlier',
): readonly number[] | undefined {
  const before = rows.map(({ id }) => id)
  const order = way === 'later' ? before.toReversed() : [...before]
  for (let place = 1; place < order.length; place++) {
    const [ahead, own] = [order[place - 1], order[place]]
    if (own === undefined || ahead === undefined || !chosen.has(own) || chosen.has(ahead)) continue
    order[place - 1] = own
    order[place] = ahead
  }
  const after = way === 'later' ? order.toReversed() : order
  const first = after.findIndex((id, place) => id !== before[place])
  if (first < 0) return undefined
  const last = after.findLastIndex((id, place) => id !== before[place])
  return after.slice(first, last + 1)
}

/** Every item that is held goes on, as one step. */
export async function releaseAll(face: SessionApi): Promise<readonly Message[]> {
  const { agenda } = await face.look({ agenda: { limit: mostLookedAt } })
  const held = agenda.filter((row) => row.held)
  if (held.length === 0) return [tell('nothing is held', 'muted')]
  const edits = held.map(({ id }): ItemEdit => ({ kind: 'agenda.release', id }))
  const result = await face.submit({ kind: 'agenda.batch', edits })
  return [result.ok ? tell(`released ${counted(held.length)}`) : refused(result.error)]
}
