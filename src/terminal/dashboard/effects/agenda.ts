/**
 * Steps through the items that the agenda pane shows, edits the chosen one, or several as a single undo step, and undoes edits.
 * Hidden items, such as loops, are skipped: a step executes them on the way, a move passes over them. The agenda is queried
 * at execution time, since a burst of keys is faster than the screen.
 */
import type { AgendaCommand, ItemEdit } from '../../../core/engine/agenda/commands.ts'
import type { AgendaRow, SessionApi } from '../../../core/session-api/session-api.ts'
import type { Action, AgendaFilter, Message } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { noticeMessage, refusalMessage } from './notice.ts'
import type { Fact } from '../../../core/engine/fact.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'

export const agendaFilterOf = ({ agenda, only, orderId, everything }: Model): AgendaFilter => ({
  background: agenda.background,
  aside: everything,
  ...(only && orderId !== undefined ? { orderId } : {}),
})

const matchesAgendaFilter = (
  { background, aside, orderId }: AgendaRow,
  shown: AgendaFilter,
): boolean =>
  (shown.background || !background) &&
  (shown.aside || aside !== true) &&
  (shown.orderId === undefined || orderId === shown.orderId)

/** Query limit when an item of the agenda is searched. */
const maxAgendaRows = 1000

async function shownRows(session: SessionApi, shown: AgendaFilter): Promise<readonly AgendaRow[]> {
  return (await session.look({ agenda: { limit: maxAgendaRows, ...shown } })).agenda
}

const scheduled = async (session: SessionApi, shown: AgendaFilter): Promise<readonly AgendaRow[]> =>
  (await shownRows(session, shown)).filter(({ held }) => !held)

/** Maximum number of hidden items that one step executes on the way. */
const maxHiddenSteps = 200

/** Takes items up to and including the first visible one; just one when none is visible. */
export async function stepShown(
  session: SessionApi,
  shown: AgendaFilter,
): Promise<readonly Message[]> {
  for (let hidden = 0; ; hidden++) {
    const scheduledBefore = await scheduled(session, shown)
    const item = await session.step()
    if (!item) return [noticeMessage('nothing is pending', 'muted')]
    // Visibility before it was taken: its effects may hide it.
    const isShownItem =
      scheduledBefore.some(({ id }) => id === item.id) || matchesAgendaFilter(item, shown)
    if (scheduledBefore.length > 0 && hidden < maxHiddenSteps && !isShownItem) continue
    const others = hidden === 0 ? '' : `, after ${hidden} hidden`
    return [noticeMessage(`took #${item.id} ${item.text}${others}`)]
  }
}

type Batch = Extract<Action, { readonly kind: 'batch' }>

/** Edits the chosen item, or several that are marked: those that were taken meanwhile are left out and counted. */
export async function performBatch(session: SessionApi, batch: Batch): Promise<readonly Message[]> {
  const { what, ids, item } = batch
  const agenda = await agendaFor(session, batch)
  const wanted = new Set(ids)
  const items = agenda.filter(({ id }) => wanted.has(id))
  if (items.length === 0 && !item)
    return [noticeMessage('these items are gone', 'muted'), { kind: 'unmarked' }]
  const edit = editOf(batch, items, agenda)
  if (!edit)
    return [
      noticeMessage(
        item
          ? `#${item.id} is the ${what === 'later' ? 'last' : 'first'}`
          : 'they are there already',
        'muted',
      ),
    ]
  const result = await session.submit(edit.command)
  if (!result.ok) return [refusalMessage(result.error)]
  if (item) return [noticeMessage(edit.notice)]
  const gone = wanted.size - items.length
  const missing = gone > 0 ? `; ${gone} ${gone === 1 ? 'was' : 'were'} gone` : ''
  return [
    ...(what === 'drop' ? [{ kind: 'unmarked' } as const] : []),
    noticeMessage(`${edit.notice}${missing}`),
  ]
}

/** The items as they are now; the chosen one alone where nothing depends on its state or its place. */
async function agendaFor(
  session: SessionApi,
  { what, shown, item }: Batch,
): Promise<readonly AgendaRow[]> {
  const isMove = what === 'later' || what === 'earlier'
  if (item && isMove) return shownRows(session, shown)
  return item && what !== 'hold'
    ? [item]
    : (await session.look({ agenda: { limit: maxAgendaRows } })).agenda
}

interface BatchCommand {
  readonly command: AgendaCommand
  readonly notice: string
}

/** The command of an edit, and what is said of it; undefined when nothing changes. */
function editOf(
  { what, shown, item }: Batch,
  items: readonly AgendaRow[],
  agenda: readonly AgendaRow[],
): BatchCommand | undefined {
  /** An item that is gone is refused by the session. */
  const rows = items.length === 0 && item ? [{ ...item, held: false }] : items
  const named = (edited: readonly AgendaRow[]): string =>
    item ? `#${item.id} ${item.text}` : pluralise(edited.length, 'item')
  const edits = (make: (id: number) => ItemEdit, edited = rows): AgendaCommand =>
    item ? make(item.id) : { kind: 'agenda.batch', edits: edited.map(({ id }) => make(id)) }
  switch (what) {
    case 'hold': {
      // All are released once none is left to be held.
      const free = rows.filter(({ held }) => !held)
      return free.length > 0
        ? {
            command: edits((id) => ({ kind: 'agenda.hold', id }), free),
            notice: `held ${named(free)}`,
          }
        : {
            command: edits((id) => ({ kind: 'agenda.release', id })),
            notice: `released ${named(rows)}`,
          }
    }
    case 'drop':
      return {
        command: edits((id) => ({ kind: 'agenda.drop', id })),
        notice: `dropped ${named(rows)}`,
      }
    case 'duplicate':
      return {
        command: edits((id) => ({ kind: 'agenda.duplicate', id })),
        notice: `duplicated ${named(rows)}`,
      }
    case 'delay-1s':
    case 'delay-10s': {
      const byMs = what === 'delay-1s' ? 1000 : 10_000
      const by = `by ${byMs / 1000} s`
      return {
        command: edits((id) => ({ kind: 'agenda.delay', id, byMs })),
        notice: item ? `delayed ${by}: ${named(rows)}` : `put ${named(rows)} off ${by}`,
      }
    }
    case 'later':
    case 'earlier': {
      const command = moveCommand(
        agenda.filter((row) => matchesAgendaFilter(row, shown)),
        items,
        { to: what, item },
      )
      const text = item ? `${what}: #${item.id} ${items[0]?.text ?? ''}` : `${named(rows)} ${what}`
      return command && { command, notice: `moved ${text}` }
    }
    default:
      return what satisfies never
  }
}

/** Moves items past the next or previous visible ones. Held items keep a position as well. */
function moveCommand(
  rows: readonly AgendaRow[],
  items: readonly AgendaRow[],
  { to, item }: { readonly to: 'earlier' | 'later'; readonly item: AgendaRow | undefined },
): AgendaCommand | undefined {
  if (item && items.length === 0) return { kind: 'agenda.move', id: item.id, to }
  const order = shiftedOrder(rows, new Set(items.map(({ id }) => id)), to)
  const other = order?.find((id) => id !== item?.id)
  const isHeld = rows.some(({ id, held }) => held && order?.includes(id))
  return item && other !== undefined && !isHeld
    ? { kind: 'agenda.move', id: item.id, to: { place: other } }
    : order && { kind: 'agenda.arrange', order }
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
      ? noticeMessage(`released ${pluralise(held.length, 'item')}`)
      : refusalMessage(result.error),
  ]
}

type UndoFact = Extract<Fact, { kind: 'agenda.undone' | 'agenda.redone' }>

const isUndoFact = (fact: Fact): fact is UndoFact =>
  fact.kind === 'agenda.undone' || fact.kind === 'agenda.redone'

export async function undoOrRedo(
  session: SessionApi,
  direction: 'undo' | 'redo',
  skipIrreversible: boolean,
): Promise<readonly Message[]> {
  const kind = direction === 'undo' ? 'agenda.undo' : 'agenda.redo'
  const result = await session.submit(skipIrreversible ? { kind, past: true } : { kind })
  if (!result.ok) {
    const { code, message } = result.error
    if (code === 'NOT_FOUND') return [noticeMessage(message, 'muted')]
    if (code !== 'CONFLICT' || skipIrreversible) return [refusalMessage(result.error)]
    const key = direction === 'undo' ? 'z' : 'Z'
    return [{ kind: 'stuck' }, noticeMessage(`${message}; ${key} again goes past it`, 'warn')]
  }
  const [fact] = result.value.filter(isUndoFact)
  if (!fact) return [noticeMessage(direction === 'undo' ? 'undone' : 'done again')]
  const [first] = fact.items
  return [
    ...(first ? [{ kind: 'picked', id: first.id } as const] : []),
    noticeMessage(undoText(fact)),
  ]
}

const idsText = (list: readonly number[]): string =>
  `${list
    .slice(0, 5)
    .map((id) => `#${id}`)
    .join(' ')}${list.length > 5 ? ' …' : ''}`

function undoText({ kind, word, items, removed, gone, events }: UndoFact): string {
  const done = kind === 'agenda.undone' ? 'undone' : 'done again'
  const parts = [
    ...(items.length > 0 ? [idsText(items.map(({ id }) => id))] : []),
    ...(removed.length > 0 ? [`${idsText(removed)} removed`] : []),
    ...(events.length > 0 ? ['the event as it was'] : []),
    ...(gone.length > 0 ? [`${idsText(gone)} taken meanwhile`] : []),
  ]
  return `${done}, ${word}: ${parts.join(', ')}`
}
