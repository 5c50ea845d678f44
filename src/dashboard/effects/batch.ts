/**
 * Edits several items as a single undo step. The agenda is queried at execution time: items taken meanwhile are left
 * out and counted in the notice.
 */
import type { AgendaCommand, ItemEdit } from '../../engine/agenda/commands.ts'
import type { AgendaRow, SessionApi } from '../../session-api/session-api.ts'
import type { BatchEdit, Message, AgendaFilter } from '../model/message.ts'
import { matchesAgendaFilter, maxAgendaRows } from './agenda.ts'
import { refusalMessage, noticeMessage } from './notice.ts'

interface Batch {
  readonly what: BatchEdit
  readonly ids: readonly number[]
  readonly shown: AgendaFilter
}

const itemCountText = (count: number): string => `${count} item${count === 1 ? '' : 's'}`

export async function performBatch(session: SessionApi, batch: Batch): Promise<readonly Message[]> {
  const { agenda } = await session.look({ agenda: { limit: maxAgendaRows } })
  const wanted = new Set(batch.ids)
  const items = agenda.filter(({ id }) => wanted.has(id))
  if (items.length === 0)
    return [noticeMessage('these items are gone', 'muted'), { kind: 'unmarked' }]
  const batchCommand = commandOf(batch, items, agenda)
  if (!batchCommand) return [noticeMessage('they are there already', 'muted')]
  const result = await session.submit(batchCommand.command)
  if (!result.ok) return [refusalMessage(result.error)]
  const gone = wanted.size - items.length
  const missing = gone > 0 ? `; ${gone} ${gone === 1 ? 'was' : 'were'} gone` : ''
  return [
    ...(batch.what === 'drop' ? [{ kind: 'unmarked' } as const] : []),
    noticeMessage(`${batchCommand.notice}${missing}`),
  ]
}

interface BatchCommand {
  readonly command: AgendaCommand
  readonly notice: string
}

function commandOf(
  { what, shown }: Batch,
  items: readonly AgendaRow[],
  agenda: readonly AgendaRow[],
): BatchCommand | undefined {
  const edits = (make: (row: AgendaRow) => ItemEdit, rows = items): AgendaCommand => ({
    kind: 'agenda.batch',
    edits: rows.map(make),
  })
  const countText = itemCountText(items.length)
  switch (what) {
    case 'hold':
      return holdOrRelease(items, edits)
    case 'drop':
      return {
        command: edits(({ id }) => ({ kind: 'agenda.drop', id })),
        notice: `dropped ${countText}`,
      }
    case 'duplicate':
      return {
        command: edits(({ id }) => ({ kind: 'agenda.duplicate', id })),
        notice: `duplicated ${countText}`,
      }
    case 'delay-1s':
    case 'delay-10s': {
      const byMs = what === 'delay-1s' ? 1000 : 10_000
      return {
        command: edits(({ id }) => ({ kind: 'agenda.delay', id, byMs })),
        notice: `put ${countText} off by ${byMs / 1000} s`,
      }
    }
    case 'later':
    case 'earlier': {
      const rows = agenda.filter((row) => matchesAgendaFilter(row, shown))
      const order = shiftedOrder(rows, new Set(items.map(({ id }) => id)), what)
      return (
        order && {
          command: { kind: 'agenda.arrange', order },
          notice: `moved ${countText} ${what}`,
        }
      )
    }
    default:
      return what satisfies never
  }
}

/** Holds all items while at least one is not held; otherwise releases all. */
function holdOrRelease(
  items: readonly AgendaRow[],
  edits: (make: (row: AgendaRow) => ItemEdit, rows: readonly AgendaRow[]) => AgendaCommand,
): BatchCommand {
  const free = items.filter(({ held }) => !held)
  return free.length > 0
    ? {
        command: edits(({ id }) => ({ kind: 'agenda.hold', id }), free),
        notice: `held ${itemCountText(free.length)}`,
      }
    : {
        command: edits(({ id }) => ({ kind: 'agenda.release', id }), items),
        notice: `released ${itemCountText(items.length)}`,
      }
}

/**
 * Moves each chosen item one place; returns the changed part of the list in its new order, undefined when nothing
 * changes.
 */
function shiftedOrder(
  rows: readonly AgendaRow[],
  chosen: ReadonlySet<number>,
  direction: 'later' | 'earlier',
): readonly number[] | undefined {
  const before = rows.map(({ id }) => id)
  const order = direction === 'later' ? before.toReversed() : [...before]
  for (let place = 1; place < order.length; place++) {
    const [ahead, own] = [order[place - 1], order[place]]
    if (own === undefined || ahead === undefined || !chosen.has(own) || chosen.has(ahead)) continue
    order[place - 1] = own
    order[place] = ahead
  }
  const after = direction === 'later' ? order.toReversed() : order
  const first = after.findIndex((id, place) => id !== before[place])
  if (first < 0) return undefined
  const last = after.findLastIndex((id, place) => id !== before[place])
  return after.slice(first, last + 1)
}

/** Releases every held item, as a single undo step. */
export async function releaseAll(session: SessionApi): Promise<readonly Message[]> {
  const { agenda: held } = await session.look({ agenda: { limit: maxAgendaRows, held: true } })
  if (held.length === 0) return [noticeMessage('nothing is held', 'muted')]
  const edits = held.map(({ id }): ItemEdit => ({ kind: 'agenda.release', id }))
  const result = await session.submit({ kind: 'agenda.batch', edits })
  return [
    result.ok
      ? noticeMessage(`released ${itemCountText(held.length)}`)
      : refusalMessage(result.error),
  ]
}
