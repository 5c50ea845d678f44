/** Applies facts about the agenda; edits by hand are recorded for undo. */
import { compact } from '../../compact.ts'
import { assertNever } from '../../protocol/result.ts'
import { type Agenda, putItem, removeItem, replaceItem } from './agenda.ts'
import { recordChange } from './edits.ts'
import type { AgendaFact, EventFact } from '../fact.ts'
import type { Instant } from '../instant.ts'
import type { AgendaItem } from './item.ts'
import type { World } from '../world.ts'
import type { EditKind, StoredEvent } from './edit.ts'

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

type UndoFact = Extract<AgendaFact, { kind: 'agenda.undone' | 'agenda.redone' }>
type EditFact = Exclude<AgendaFact, UndoFact | { kind: 'agenda.taken' | 'agenda.refused' }>

export function applyAgenda(
  world: Pick<World, 'agenda' | 'edits' | 'ordering' | 'announcements'>,
  fact: AgendaFact,
): void {
  const { agenda, edits } = world
  switch (fact.kind) {
    case 'agenda.taken':
      removeItem(agenda, fact.id)
      return
    case 'agenda.refused':
      return
    case 'agenda.undone':
    case 'agenda.redone':
      return applyUndo(world, fact)
    default: {
      const { step } = fact
      if (step === undefined) return applyEdit(agenda, fact)
      const ids = idsOf(fact)
      const before = ids.map((id) => agenda.byId.get(id))
      applyEdit(agenda, fact)
      const [word, all] = [editKindOf(fact), fact.kind === 'agenda.moved' && fact.all === true]
      for (const [index, id] of ids.entries()) {
        const [itemBefore, itemAfter] = [before[index], agenda.byId.get(id)]
        const own = all || index === 0
        recordChange(edits, {
          kind: 'item',
          step,
          word,
          id,
          own,
          ...compact({ before: itemBefore, after: itemAfter }),
        })
      }
    }
  }
}

function applyEdit(agenda: Agenda, fact: EditFact): void {
  switch (fact.kind) {
    case 'agenda.planned':
      return putItem(agenda, fact.item)
    case 'agenda.dropped':
      removeItem(agenda, fact.id)
      return
    case 'agenda.held':
      return change(agenda, fact.id, { held: true })
    case 'agenda.released':
      return release(agenda, fact.id, newPosition(fact))
    case 'agenda.delayed':
      return change(agenda, fact.id, newPosition(fact))
    case 'agenda.moved':
      return replaceAll(
        agenda,
        fact.places.flatMap(({ id, due, rank }) => {
          const item = agenda.byId.get(id)
          return item ? [{ ...item, due, rank }] : []
        }),
      )
    case 'agenda.edited':
      return change(agenda, fact.id, { command: fact.command, edited: true })
    default:
      return assertNever(fact)
  }
}

/** Ids of the items that an edit changes; the one that it names comes first. */
function idsOf(fact: EditFact): readonly number[] {
  if (fact.kind === 'agenda.planned') return [fact.item.id]
  if (fact.kind !== 'agenda.moved') return [fact.id]
  return [fact.id, ...fact.places.flatMap(({ id }) => (id === fact.id ? [] : [id]))]
}

const editKinds = {
  'agenda.held': 'hold',
  'agenda.released': 'release',
  'agenda.dropped': 'drop',
  'agenda.delayed': 'delay',
  'agenda.moved': 'move',
  'agenda.edited': 'edit',
} as const

const editKindOf = (fact: EditFact): EditKind =>
  fact.kind !== 'agenda.planned'
    ? editKinds[fact.kind]
    : fact.item.copyOf === undefined
      ? 'plan'
      : 'duplicate'

type EventStores = Pick<World, 'ordering' | 'announcements'>

const findStoredEvent = (
  { ordering, announcements }: EventStores,
  eventId: string,
): StoredEvent | undefined => ordering.events.get(eventId) ?? announcements.events.get(eventId)

function storeEvent({ ordering, announcements }: EventStores, event: StoredEvent): void {
  if ('from' in event) announcements.events.set(event.eventId, event)
  else ordering.events.set(event.eventId, event)
}

/** Applies an undo or redo: moves the step between the two lists and restores the items and events of that side. */
function applyUndo(
  world: Pick<World, 'agenda' | 'edits' | 'ordering' | 'announcements'>,
  { kind, items, removed, events, forgotten = 0 }: UndoFact,
): void {
  const { agenda, edits } = world
  const [from, to] =
    kind === 'agenda.undone' ? [edits.done, edits.undone] : [edits.undone, edits.done]
  from.length -= forgotten
  const step = from.pop()
  if (step) to.push(step)
  for (const id of removed) removeItem(agenda, id)
  replaceAll(agenda, items)
  for (const { event } of events) storeEvent(world, event)
}

/** Applies an edit of an event and records it for undo, if made by hand. */
export function applyEventEdit(
  world: World,
  { eventId, step }: Extract<EventFact, { kind: 'event.altered' }>,
  alter: () => void,
): void {
  const before = findStoredEvent(world, eventId)
  alter()
  const after = findStoredEvent(world, eventId)
  if (step !== undefined && before && after)
    recordChange(world.edits, { kind: 'event', step, word: 'edit', eventId, before, after })
}
