/**
 * What a saved scenario repeats: the operator's actions from the first edit on, what was taken of the agenda meanwhile, and
 * the orders that these need.
 */
import type { Instant } from '../engine/instant.ts'
import { isFinalStatus } from '../rules/invariants/tracking/status-rank.ts'
import type {
  AgendaRow,
  JournalRow,
  OperatorAction,
  SessionApi,
  Snapshot,
} from '../session-api/session-api.ts'
import { isOfOrder } from './item.ts'
import { createSavedNames, orderIdsIn, type SavedNames } from './save-names.ts'
import type { ScenarioInput } from './schema.ts'
import { changeOrderIds } from './words/session.ts'

type SavedOrder = NonNullable<ScenarioInput['orders']>[string]

const isEdit = ({ what }: OperatorAction): boolean => what.kind === 'command'

/** The edit of an item, which is waited for. */
const isItemEdit = ({ what, item }: OperatorAction): boolean =>
  what.kind === 'command' && item !== undefined && what.command.kind !== 'agenda.release'

/** Something that is repeated: what the operator did, or an item that was taken, by a step or because it was due. */
type StoryEntry = {
  /** The last fact before it, and the session time. */
  readonly after: number
  readonly at: Instant
} & (
  | { readonly kind: 'done'; readonly action: OperatorAction }
  | { readonly kind: 'taken'; readonly row: AgendaRow }
  /** Loops; `count` of their items were taken. */
  | { readonly kind: 'looped'; readonly count: number }
)

export interface SavedStory {
  /** Ids of all orders of the file, oldest first, and of those that are there before anything else. */
  readonly needed: readonly string[]
  readonly earlier: readonly string[]
  readonly entries: readonly StoryEntry[]
  /** The last fact that comes about by itself before the first entry. */
  readonly from: number
  /** What was requested of orders, oldest first. */
  readonly requests: readonly SavedRequest[]
}

/** A step or a cancellation that was requested of an order, by a call of the service or by hand. */
export interface SavedRequest {
  readonly seq: number
  readonly orderId: string
  readonly trigger: string
  readonly isCall: boolean
}

/** What a fact says of a request; undefined for others. */
function orderRequestOf({ seq, kind, by, orderId, text }: JournalRow): SavedRequest | undefined {
  const trigger =
    kind === 'order.requested'
      ? text.split(' ')[0]
      : kind === 'cancellation.requested'
        ? 'request-cancellation'
        : kind === 'item.cancel-requested'
          ? 'cancel-item'
          : undefined
  if (trigger === undefined || orderId === undefined) return undefined
  return { seq, orderId, trigger, isCall: by === 'subject' }
}

/** Ids of the orders that an action is about. */
export async function orderIdsOfAction(
  { what, item, items = [], after }: OperatorAction,
  names: SavedNames,
): Promise<readonly string[]> {
  const ids = [item, ...items].flatMap((row) => row?.orderId ?? [])
  if (what.kind === 'order') ids.push(what.orderId)
  if (what.kind !== 'command') return ids
  changeOrderIds(what.command, (id) => (ids.push(id), id))
  if (what.command.kind === 'agenda.move' && typeof what.command.to !== 'string') {
    const place = await names.rowOf(what.command.to.place, after)
    if (place?.orderId !== undefined) ids.push(place.orderId)
  }
  const event = what.command.kind === 'event.alter' && (await names.event(what.command.eventId))
  return event ? [...ids, names.idOf(event.order) ?? ''] : ids
}

/** Orders that were not over at a fact. */
async function openOrdersAt(
  session: SessionApi,
  at: number,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { pinned = [] } = await session.look({ at, pinned: ids })
  return pinned.flatMap(({ orderId, status }) => (isFinalStatus(status) ? [] : [orderId]))
}

/** Whether faults name orders by their slots, which must then stay as they are. */
function haveSlots({ operatorActions, initialConditions }: Snapshot): boolean {
  const added = operatorActions.flatMap(({ what }) =>
    what.kind === 'command' && what.command.kind === 'fault.add' ? [what.command.spec] : [],
  )
  return /\bo[1-9]\d*\b/.test(JSON.stringify([added, initialConditions?.faults ?? []]))
}

/** Whether nothing happens but what steps take: each item comes where it does because of all that were taken before. */
export const isDriven = ({ info, initialConditions }: Snapshot): boolean =>
  info.subject === undefined && initialConditions?.clock === 'stepped'

/** The orders that actions need, oldest first; where they name none, those that were not over when they began. */
async function neededOrders(
  session: SessionApi,
  snapshot: Snapshot,
  actions: readonly OperatorAction[],
  names: SavedNames,
): Promise<readonly string[]> {
  const named = new Set(
    (await Promise.all(actions.map((each) => orderIdsOfAction(each, names)))).flat(),
  )
  const [first] = actions
  if (named.size === 0 && first)
    for (const id of await openOrdersAt(session, first.after, names.orderIds)) named.add(id)
  if (!haveSlots(snapshot) && !isDriven(snapshot))
    return names.orderIds.filter((id) => named.has(id))
  const placed = snapshot.operatorActions.flatMap(({ what }) =>
    what.kind === 'order' ? [what.orderId] : [],
  )
  const last = names.orderIds.findLastIndex((id) => named.has(id) || placed.includes(id))
  return names.orderIds.slice(0, last + 1)
}

/** Maximum number of journal rows in one view, and of items that a file takes. */
const maxRows = 1000
const maxTaken = 5000

/** Rows of the journal after a fact. */
async function* journalAfter(session: SessionApi, after: number): AsyncGenerator<JournalRow> {
  for (let last = after; ;) {
    const { journal } = await session.look({ journal: { limit: maxRows, after: last } })
    yield* journal
    const next = journal.at(-1)?.seq
    if (next === undefined || journal.length < maxRows) return
    last = next
  }
}

/**
 * What was taken of the agenda about these orders, but for loops and for pauses of the service itself, and items of no order
 * that the operator edited: what waits for these comes after them.
 */
async function takenAbout(
  names: SavedNames,
  rows: readonly JournalRow[],
  edited: ReadonlySet<number>,
): Promise<readonly StoryEntry[]> {
  const taken: StoryEntry[] = []
  for (const { seq, at, orderId, text } of rows) {
    const id = Number(/^taken #(\d+)/.exec(text)?.[1])
    const isMeant = orderId === undefined ? edited.has(id) : names.slotOf(orderId) !== undefined
    if (!isMeant) continue
    const row = await names.rowOf(id, seq - 1, orderId)
    if (!row || (orderId !== undefined && !isOfOrder(row))) continue
    taken.push({ kind: 'taken', after: seq - 1, at, row })
    if (taken.length >= maxTaken) break
  }
  return taken
}

const isPlayed = (entry: StoryEntry): boolean =>
  entry.kind !== 'done' || ['command', 'order'].includes(entry.action.what.kind)

/**
 * Loops that were taken before the operator did the next thing; after the last, up to one that led to something about the
 * orders. Before an item they come by themselves; and everywhere where a service decides what comes next, or the clock.
 */
function loopsTaken(
  snapshot: Snapshot,
  entries: readonly StoryEntry[],
  { taken, aboutOrders }: Readonly<Record<'taken' | 'aboutOrders', readonly JournalRow[]>>,
): readonly StoryEntry[] {
  if (!isDriven(snapshot)) return []
  const played = entries.filter(isPlayed)
  return played.flatMap((entry, index): readonly StoryEntry[] => {
    const next = played[index + 1]
    if (next?.kind === 'taken') return []
    // A taken item is the fact after `after`.
    const from = entry.kind === 'taken' ? entry.after + 1 : entry.after
    const end = next?.after ?? aboutOrders.at(-1)?.seq ?? 0
    const loops = taken.filter(({ seq }) => seq > from && seq <= end)
    const last = loops.at(-1)
    return last ? [{ kind: 'looped', after: last.seq - 1, at: last.at, count: loops.length }] : []
  })
}

/** Session time after an action. */
const timeAfter = ({ at, what }: OperatorAction): number =>
  what.kind === 'advance' ? at + what.ms : at

export async function savedStory(session: SessionApi, snapshot: Snapshot): Promise<SavedStory> {
  const { operatorActions: all } = snapshot
  const firstEdit = all.find(isEdit) ?? all[0]
  if (!firstEdit) return { needed: [], earlier: [], entries: [], from: 0, requests: [] }
  const known = createSavedNames(session, await orderIdsIn(session))
  const edits = all.slice(all.indexOf(firstEdit))
  const needed = await neededOrders(
    session,
    snapshot,
    edits.filter(({ what }) => what.kind !== 'step'),
    known,
  )
  const names = createSavedNames(session, needed)
  const last = edits.at(-1) ?? firstEdit
  const placedAfter = new Set<string>()
  const rows: JournalRow[] = []
  const requests: SavedRequest[] = []
  let itemCame = firstEdit.after
  const aboutOrders: JournalRow[] = []
  for await (const row of journalAfter(session, 0)) {
    if (row.seq > last.after && row.at > timeAfter(last)) break
    if (row.kind === 'agenda.taken') rows.push(row)
    const request = orderRequestOf(row)
    if (request) requests.push(request)
    if (
      row.kind === 'agenda.planned' &&
      Number(/#(\d+)/.exec(row.text)?.[1]) === firstEdit.item?.id
    )
      itemCame = row.seq
    if (row.orderId !== undefined && names.slotOf(row.orderId) !== undefined) aboutOrders.push(row)
    if (row.kind === 'order.created' && row.seq > firstEdit.after && row.orderId !== undefined)
      placedAfter.add(row.orderId)
  }
  const earlier = needed.filter((id) => !placedAfter.has(id))
  // One order comes to the item of an edit by itself; otherwise all is where it was only by the same items, as on a clock
  // that stood from the beginning.
  const isWhole =
    earlier.length > 1 || !isItemEdit(firstEdit) || snapshot.initialConditions?.clock === 'stepped'
  // What was taken since the item came is repeated too: by itself all stops there.
  const from = isWhole ? 0 : itemCame
  const taken = await takenAbout(
    names,
    rows.filter(({ seq }) => seq > from),
    new Set(
      edits.flatMap(({ item, items = [] }) =>
        [...(item ? [item] : []), ...items].map(({ id }) => id),
      ),
    ),
  )
  const done = (isWhole ? all : edits).flatMap((action): readonly StoryEntry[] => {
    const { after, at, what } = action
    const isOther = what.kind === 'order' && names.slotOf(what.orderId) === undefined
    return isOther ? [] : [{ kind: 'done', after, at, action }]
  })
  const placed = new Set(
    done.flatMap((entry) =>
      entry.kind === 'done' && entry.action.what.kind === 'order'
        ? [entry.action.what.orderId]
        : [],
    ),
  )
  const inOrder = (entries: readonly StoryEntry[]): readonly StoryEntry[] =>
    entries.toSorted((one, other) => one.after - other.after)
  const entries = inOrder([...done, ...taken])
  return {
    needed,
    earlier: needed.filter((id) => !placed.has(id)),
    entries: inOrder([...entries, ...loopsTaken(snapshot, entries, { taken: rows, aboutOrders })]),
    from,
    requests,
  }
}

/** The orders by slot: as the operator requested them, or of the type of one that came by itself. */
export async function savedOrders(
  session: SessionApi,
  { operatorActions }: Snapshot,
  names: SavedNames,
): Promise<Readonly<Record<string, SavedOrder>>> {
  const { pinned = [] } = await session.look({ pinned: names.orderIds })
  const typeOf = new Map(pinned.map(({ orderId, profile }) => [orderId, profile]))
  return Object.fromEntries(
    names.orderIds.map((id) => {
      const asked = operatorActions.find(({ what }) => what.kind === 'order' && what.orderId === id)
      const slot = names.slotOf(id) ?? id
      if (asked?.what.kind !== 'order') return [slot, { type: typeOf.get(id) } as SavedOrder]
      const { order, ...fields } = asked.what.wish
      const more = order === undefined ? {} : { order: order as never }
      return [slot, { ...(fields as SavedOrder), ...more }]
    }),
  )
}
