/**
 * Decides edits of the agenda: drop, duplicate, delay, move, hold, release, edit. Keys, fault rules and scenario steps
 * all use these commands.
 */
import { assertNever, err, ok, type Result } from '../../protocol/result.ts'
import { type Agenda, isOwnPause, neighbourItem, rotatedPositions } from './agenda.ts'
import { comparePositions, distinctPositions, notBefore, ranksOfOverdue } from './positions.ts'
import type { Command, CommandOf } from '../command.ts'
import { type Decision, type DecisionContext, type Decisions, decisionsOn } from '../decision.ts'
import type { AgendaCommand, ItemEdit } from './commands.ts'
import type { AgendaFact } from './facts.ts'
import type { AgendaItem } from './item.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { compact } from '../../base/compact.ts'
import type { AgendaChange } from './edits.ts'

type UndoFact = Extract<AgendaFact, { kind: 'agenda.undone' | 'agenda.redone' }>
type UndoneStep = Omit<UndoFact, 'kind' | 'forgotten'>
type ItemChange = Extract<AgendaChange, { kind: 'item' }>

/** Undo restores the values before the step, redo those after it. */
type Direction = 'undo' | 'redo'

/**
 * Decides undo and redo of edits by hand. An item is restored as it was, but never due before now.
 * A step whose items were all taken meanwhile is refused, unless the command skips such steps.
 */
function decideUndo(
  { kind, past }: Extract<AgendaCommand, { kind: 'agenda.undo' | 'agenda.redo' }>,
  context: DecisionContext,
): Decision {
  const direction: Direction = kind === 'agenda.undo' ? 'undo' : 'redo'
  const { edits } = context.world
  const steps = direction === 'undo' ? edits.done : edits.undone
  let refusal: Result<never, Refusal> = refuse('NOT_FOUND', nothingToDo[direction])
  for (let forgotten = 0; forgotten < steps.length; forgotten++) {
    const undone = revertStep(steps.at(-1 - forgotten) ?? [], direction, context)
    if (undone.ok)
      return ok([
        {
          kind: direction === 'undo' ? 'agenda.undone' : 'agenda.redone',
          ...undone.value,
          ...(forgotten > 0 ? { forgotten } : {}),
        },
      ])
    if (!past) return undone
    refusal = undone
  }
  return refusal
}

const nothingToDo = {
  undo: 'nothing was done to the agenda by hand that could be undone',
  redo: 'nothing was undone that could be done again',
} as const

function revertStep(
  step: readonly AgendaChange[],
  direction: Direction,
  context: DecisionContext,
): Result<UndoneStep, Refusal> {
  const { world, now } = context
  const items: AgendaItem[] = []
  const removed: number[] = []
  const gone: number[] = []
  const namedGone: number[] = []
  let namedCount = 0
  for (const [id, { before, after, own }] of itemsOf(step)) {
    const [current, restored] = direction === 'undo' ? [after, before] : [before, after]
    if (own) namedCount++
    if (current && !world.agenda.byId.has(id)) {
      gone.push(id)
      if (own) namedGone.push(id)
    } else if (restored) items.push(restored)
    else removed.push(id)
  }
  const events = step.flatMap((change) =>
    change.kind === 'event'
      ? [{ eventId: change.eventId, event: direction === 'undo' ? change.before : change.after }]
      : [],
  )
  const word = step[0]?.word ?? 'edit'
  if (namedCount > 0 && namedGone.length === namedCount)
    return err(takenMeanwhile(namedGone, word, direction))
  return ok({
    word,
    items: notBefore(items, now),
    removed,
    gone,
    events: direction === 'undo' ? events.toReversed() : events,
  })
}

/** Every item of a step once, with its first `before` and its last `after`. */
function itemsOf(
  step: readonly AgendaChange[],
): ReadonlyMap<number, Pick<ItemChange, 'before' | 'after' | 'own'>> {
  const all = new Map<number, Pick<ItemChange, 'before' | 'after' | 'own'>>()
  for (const change of step) {
    if (change.kind !== 'item') continue
    const { id, before, after, own } = change
    const first = all.get(id)
    const from = first ? first.before : before
    all.set(id, {
      own: own || first?.own === true,
      ...compact({ before: from, after }),
    })
  }
  return all
}

function takenMeanwhile(ids: readonly number[], word: string, direction: Direction): Refusal {
  const shown = ids.slice(0, 3).join(', ')
  const items =
    ids.length === 1 ? `item ${shown} was` : `items ${shown}${ids.length > 3 ? ' …' : ''} were`
  const done = direction === 'undo' ? 'undone' : 'done again'
  return { code: 'CONFLICT', message: `${items} taken meanwhile: the ${word} cannot be ${done}` }
}

function find(
  { id }: { readonly id: number },
  { world }: DecisionContext,
): Result<AgendaItem, Refusal> {
  const item = world.agenda.byId.get(id)
  return item
    ? ok(item)
    : err({ code: 'NOT_FOUND', message: `the agenda has no item ${id}: it was taken or dropped` })
}

/** The facts of one edit; a copy gets `copyId`. */
function editItem(
  itemEdit: ItemEdit,
  item: AgendaItem,
  copyId: number,
  { now, world }: DecisionContext,
): readonly AgendaFact[] {
  const { id, command } = item
  switch (itemEdit.kind) {
    case 'agenda.hold':
      return item.held ? [] : [{ kind: 'agenda.held', id, command }]
    case 'agenda.release':
      return item.held
        ? [{ kind: 'agenda.released', id, command, due: Math.max(item.due, now) }]
        : []
    case 'agenda.drop':
      return [{ kind: 'agenda.dropped', id, command }]
    case 'agenda.duplicate': {
      const copy: AgendaItem = {
        ...item,
        id: copyId,
        rank: rankBehind(item, world.agenda),
        copyOf: id,
      }
      return [{ kind: 'agenda.planned', item: copy }]
    }
    case 'agenda.delay':
      return [{ kind: 'agenda.delayed', id, command, due: Math.max(item.due, now) + itemEdit.byMs }]
    default:
      return assertNever(itemEdit)
  }
}

/** The rank right behind an item: half way to the next item of the same instant. */
function rankBehind(original: AgendaItem, agenda: Agenda): number {
  const next = original.held ? undefined : neighbourItem(agenda, original, 'after')
  return next && next.due === original.due ? (original.rank + next.rank) / 2 : original.rank + 0.5
}

/**
 * Decides several edits, all or none. Overdue items come due at one instant, and keep the order in which they were held
 * or arranged.
 */
function batch(edits: readonly ItemEdit[], context: DecisionContext): Decision {
  const facts: AgendaFact[] = []
  const rescheduled = new Map<number, AgendaItem>()
  let copyId = context.world.agenda.nextId
  for (const each of edits) {
    const found = find(each, context)
    if (!found.ok) return found
    facts.push(...editItem(each, found.value, copyId, context))
    if (each.kind === 'agenda.duplicate') copyId++
    if (each.kind === 'agenda.release' || each.kind === 'agenda.delay')
      rescheduled.set(each.id, found.value)
  }
  const ranks = ranksOfOverdue([...rescheduled.values()], context.now)
  return ok(
    facts.map((fact) => {
      if (fact.kind !== 'agenda.released' && fact.kind !== 'agenda.delayed') return fact
      const rank = ranks.get(fact.id)
      return rank === undefined ? fact : { ...fact, rank }
    }),
  )
}

/** Reorders items: they exchange their positions, held items included, which continue from there when released. */
function arrange(order: readonly number[], context: DecisionContext): Decision {
  const items: AgendaItem[] = []
  for (const id of new Set(order)) {
    const found = find({ id }, context)
    if (!found.ok) return found
    items.push(found.value)
  }
  const [first] = items
  if (!first) return ok([])
  const places = items.toSorted(comparePositions)
  return ok([
    {
      kind: 'agenda.moved',
      id: first.id,
      command: first.command,
      places: distinctPositions(
        items.map(({ id }, index) => {
          const { due, rank } = places[index] ?? first
          return { id, due, rank }
        }),
      ),
      all: true,
    },
  ])
}

/** The next item on a side that is no pause of the service itself. */
function movableNeighbour(
  agenda: Agenda,
  item: AgendaItem,
  side: 'before' | 'after',
): AgendaItem | undefined {
  let next = neighbourItem(agenda, item, side)
  while (next && isOwnPause(next)) next = neighbourItem(agenda, next, side)
  return next
}

function move(
  item: AgendaItem,
  to: 'earlier' | 'later' | { readonly place: number },
  context: DecisionContext,
): Decision {
  const { agenda } = context.world
  if (item.held)
    return refuse('CONFLICT', `item ${item.id} is held and has no place; release it first`)
  const target =
    typeof to === 'string'
      ? movableNeighbour(agenda, item, to === 'earlier' ? 'before' : 'after')
      : agenda.byId.get(to.place)
  if (!target)
    return typeof to === 'string'
      ? ok([])
      : refuse('NOT_FOUND', `the agenda has no item ${to.place} to move to`)
  if (target.held) return refuse('CONFLICT', `item ${target.id} is held and has no place`)
  if (target.id === item.id) return ok([])
  if (isOwnPause(target))
    return refuse(
      'UNPROCESSABLE',
      `item ${target.id} is a pause of your service, whose place is its own; name an item beside it`,
    )
  return ok([
    {
      kind: 'agenda.moved',
      id: item.id,
      command: item.command,
      places: rotatedPositions(agenda, item, target),
    },
  ])
}

function edit(item: AgendaItem, change: Readonly<Record<string, unknown>>): Decision {
  const { kind, ...fields } = change
  if (kind !== undefined && kind !== item.command.kind)
    return refuse('UNPROCESSABLE', `item ${item.id} is a ${item.command.kind}; its kind stays`)
  const unknown = Object.keys(fields).find((field) => !Object.hasOwn(item.command, field))
  if (unknown !== undefined)
    return refuse('UNPROCESSABLE', `a ${item.command.kind} has no field "${unknown}"`)
  const wrong = Object.entries(fields).find(
    ([field, value]) =>
      typeof value !== typeof (item.command as unknown as Record<string, unknown>)[field],
  )
  if (wrong)
    return refuse('UNPROCESSABLE', `"${wrong[0]}" of a ${item.command.kind} has another type`)
  return ok([
    { kind: 'agenda.edited', id: item.id, command: { ...item.command, ...fields } as Command },
  ])
}

const onItem = decisionsOn(find)

const editOne = onItem<ItemEdit>((item, command, context) =>
  ok(editItem(command, item, context.world.agenda.nextId, context)),
)

export const agendaDecisions: Decisions<AgendaCommand | CommandOf<'agenda.plan'>> = {
  'agenda.plan'({ command, afterMs }, { now, world }) {
    const id = world.agenda.nextId
    const item: AgendaItem = {
      id,
      due: now + afterMs,
      rank: id,
      held: false,
      command,
      cause: 0,
      background: false,
    }
    return ok([{ kind: 'agenda.planned', item }])
  },
  'agenda.hold': editOne,
  'agenda.release': editOne,
  'agenda.drop': editOne,
  'agenda.duplicate': editOne,
  'agenda.delay': editOne,
  'agenda.move': onItem((item, { to }, context) => move(item, to, context)),
  'agenda.edit': onItem((item, { change }) => edit(item, change)),
  'agenda.arrange': ({ order }, context) => arrange(order, context),
  'agenda.batch': ({ edits }, context) => batch(edits, context),
  'agenda.undo': decideUndo,
  'agenda.redo': decideUndo,
}
