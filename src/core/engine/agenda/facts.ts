/** Facts of the agenda; edits by hand are recorded for undo. */
import { compact } from '../../base/compact.ts'
import { type Command, commandText, orderIdOfCommand } from '../command.ts'
import { eventById } from '../command-row.ts'
import { listCount } from '../short-text.ts'
import { type FactIn, type FactRow, factRow } from '../fact-row.ts'
import { clockOf, type Instant } from '../instant.ts'
import type { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'
import { type Agenda, putItem, removeItem, replaceItem } from './agenda.ts'
import { type EditKind, type StoredEvent, recordChange } from './edits.ts'
import type { AgendaItem } from './item.ts'

/** A fact caused by hand carries the number of its undo step: facts of one step are undone together. */
export interface UndoStep {
  readonly step?: number
}

/** An item, with its command as it was then. */
export interface OfItem extends UndoStep {
  readonly id: number
  readonly command: Command
}

/** An item with its new due instant, and its new rank among items of the same instant. */
export interface ItemDue extends OfItem {
  readonly due: Instant
  readonly rank?: number
}

export interface ItemsMoved extends OfItem {
  /** Each of these has a new position. */
  readonly places: readonly {
    readonly id: number
    readonly due: Instant
    readonly rank: number
  }[]
  /** All of them were named by the command, not only the one. */
  readonly all?: true
}

/** These items and events have these values now, and the removed items are gone. */
export interface StepReverted {
  readonly word: EditKind
  readonly items: readonly AgendaItem[]
  readonly removed: readonly number[]
  /** Items taken meanwhile: they are left as they are. */
  readonly gone: readonly number[]
  readonly events: readonly { readonly eventId: string; readonly event: StoredEvent }[]
  /** Number of later steps that could no longer be undone and were skipped. */
  readonly forgotten?: number
}

function change(agenda: Agenda, id: number, changes: Partial<AgendaItem>): void {
  const item = agenda.byId.get(id)
  if (item) replaceItem(agenda, { ...item, ...changes })
}

/** Releases an item: neither held nor waiting for a condition any more. */
function release(
  agenda: Agenda,
  id: number,
  place: Pick<AgendaItem, 'due'> & Partial<AgendaItem>,
): void {
  const item = agenda.byId.get(id)
  if (!item) return
  const { wait: _, ...rest } = item
  replaceItem(agenda, { ...rest, held: false, ...place })
}

/** The new due instant, and the rank if the fact has one. */
const newPosition = ({ due, rank }: { readonly due: Instant; readonly rank?: number }) =>
  rank === undefined ? { due } : { due, rank }

/** Removes all before adding any: two items with the same position even for a moment would corrupt the sorted list. */
function replaceAll(agenda: Agenda, items: readonly AgendaItem[]): void {
  for (const { id } of items) removeItem(agenda, id)
  for (const item of items) putItem(agenda, item)
}

export interface EditRow<Fields> extends Pick<FactRow<Fields>, 'text'> {
  readonly word: (fact: Fields) => EditKind
  /** Ids of the items that it changes; the one that it names comes first. */
  readonly ids: (fact: Fields) => readonly number[]
  /** All of the items were named, not only the first. */
  readonly all?: (fact: Fields) => boolean
  readonly commandOf: (fact: Fields) => Command
  readonly edit: (agenda: Agenda, fact: Fields) => void
}

/** An edit of items. By hand, it is recorded for undo. */
const editRow = <Fields extends UndoStep>(row: EditRow<Fields>): FactRow<Fields> =>
  factRow<Fields>({
    text: row.text,
    orderId: (fact, world) => orderIdOfCommand(row.commandOf(fact), world),
    apply({ agenda, edits }, fact) {
      const { step } = fact
      if (step === undefined) return row.edit(agenda, fact)
      const before = row.ids(fact).map((id) => [id, agenda.byId.get(id)] as const)
      row.edit(agenda, fact)
      for (const [index, [id, item]] of before.entries())
        recordChange(edits, {
          kind: 'item',
          step,
          word: row.word(fact),
          id,
          own: index === 0 || row.all?.(fact) === true,
          ...compact({ before: item, after: agenda.byId.get(id) }),
        })
    },
  })

/** An edit of a single item. */
const itemEditRow = <Fields extends OfItem>(
  word: EditKind,
  text: FactRow<Fields>['text'],
  edit: (agenda: Agenda, fact: Fields) => void,
): FactRow<Fields> =>
  editRow<Fields>({
    text,
    word: () => word,
    ids: ({ id }) => [id],
    commandOf: ({ command }) => command,
    edit,
  })

/** Text of an undo or redo: restored, removed and lost items. */
function undoneText(
  kind: string,
  { word, items, removed, gone, events }: StepReverted,
  world: World,
): string {
  const ids = (list: readonly number[]): string => list.map((id) => `#${id}`).join(' ')
  const [first] = items
  const what = first && items.length === 1 ? `: ${commandText(first.command, world)}` : ''
  const parts = [
    ...(items.length > 0 ? [`${ids(items.map(({ id }) => id))}${what}`] : []),
    ...(removed.length > 0 ? [`${ids(removed)} removed`] : []),
    ...events.map(({ eventId }) => `${eventById(eventId, world)?.eventType ?? eventId} as it was`),
    ...(gone.length > 0 ? [`${ids(gone)} taken meanwhile`] : []),
  ]
  return `${kind}, ${word}: ${parts.join(', ')}`
}

function storeEvent({ ordering, announcements }: World, event: StoredEvent): void {
  if ('from' in event) announcements.events.set(event.eventId, event)
  else ordering.events.set(event.eventId, event)
}

/**
 * A step by hand was undone or redone: moves it between the two lists and restores the items and events of that side.
 */
const revertRow = (name: string, from: 'done' | 'undone', to: 'done' | 'undone') =>
  factRow<StepReverted>({
    text: (fact, world) => undoneText(name, fact, world),
    orderId({ items }, world) {
      const orders = new Set(items.map(({ command }) => orderIdOfCommand(command, world)))
      return orders.size === 1 ? [...orders][0] : undefined
    },
    apply(world, { items, removed, events, forgotten = 0 }) {
      const { agenda, edits } = world
      edits[from].length -= forgotten
      const step = edits[from].pop()
      if (step) edits[to].push(step)
      for (const id of removed) removeItem(agenda, id)
      replaceAll(agenda, items)
      for (const { event } of events) storeEvent(world, event)
    },
  })

export const agendaFacts = {
  /** An item was planned. */
  'agenda.planned': editRow<UndoStep & { item: AgendaItem }>({
    text: ({ item: { id, copyOf, command, due } }, world) =>
      `${copyOf === undefined ? 'planned' : `copy of ${copyOf}`} #${id}: ${commandText(command, world)} at ${clockOf(due)}`,
    word: ({ item }) => (item.copyOf === undefined ? 'plan' : 'duplicate'),
    ids: ({ item }) => [item.id],
    commandOf: ({ item }) => item.command,
    edit: (agenda, { item }) => putItem(agenda, item),
  }),
  /** An item came due and was taken off the agenda. */
  'agenda.taken': factRow<{ id: number; command: Command }>({
    text: ({ id }) => `taken #${id}`,
    orderId: ({ command }, world) => orderIdOfCommand(command, world),
    apply({ agenda }, { id }) {
      removeItem(agenda, id)
    },
  }),
  /** An item came due and its command was refused. */
  'agenda.refused': factRow<{ id: number; command: string; refusal: Refusal }>({
    text: ({ id, refusal }) => `refused #${id}: ${refusal.message}`,
  }),
  /** An item was held. */
  'agenda.held': itemEditRow<OfItem>(
    'hold',
    ({ id }) => `held #${id}`,
    (agenda, { id }) => change(agenda, id, { held: true }),
  ),
  /** A held item was released. */
  'agenda.released': itemEditRow<ItemDue>(
    'release',
    ({ id }) => `released #${id}`,
    (agenda, fact) => release(agenda, fact.id, newPosition(fact)),
  ),
  /** An item was dropped. */
  'agenda.dropped': itemEditRow<OfItem>(
    'drop',
    ({ id, command }, world) => `dropped #${id}: ${commandText(command, world)}`,
    (agenda, { id }) => {
      removeItem(agenda, id)
    },
  ),
  /** An item was postponed. */
  'agenda.delayed': itemEditRow<ItemDue>(
    'delay',
    ({ id, due }) => `delayed #${id} to ${clockOf(due)}`,
    (agenda, fact) => change(agenda, fact.id, newPosition(fact)),
  ),
  /** Items were reordered. */
  'agenda.moved': editRow<ItemsMoved>({
    text: ({ id, places, all }) =>
      all
        ? `reordered: ${places.map((place) => `#${place.id}`).join(' ')}`
        : `moved #${id} past ${listCount(places.slice(1), 'item')}`,
    word: () => 'move',
    ids: ({ id, places }) => [
      id,
      ...places.flatMap((place) => (place.id === id ? [] : [place.id])),
    ],
    all: ({ all }) => all === true,
    commandOf: ({ command }) => command,
    edit: (agenda, { places }) =>
      replaceAll(
        agenda,
        places.flatMap(({ id, due, rank }) => {
          const item = agenda.byId.get(id)
          return item ? [{ ...item, due, rank }] : []
        }),
      ),
  }),
  /** The command of an item was edited. */
  'agenda.edited': itemEditRow<OfItem>(
    'edit',
    ({ id, command }, world) => `edited #${id}: ${commandText(command, world)}`,
    (agenda, { id, command }) => change(agenda, id, { command, edited: true }),
  ),
  'agenda.undone': revertRow('undone', 'done', 'undone'),
  'agenda.redone': revertRow('done again', 'undone', 'done'),
}

export type AgendaFact = FactIn<typeof agendaFacts>
