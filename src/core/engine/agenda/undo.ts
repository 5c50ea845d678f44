/**
 * Decides undo and redo of edits by hand. An item is restored as it was, but never due before now. A step whose items
 * were all taken meanwhile is refused, unless the command skips such steps.
 */
import { compact } from '../../base/compact.ts'
import { ok, err, type Result } from '../../protocol/result.ts'
import type { AgendaChange } from './edits.ts'
import { notBefore } from './positions.ts'
import type { AgendaCommand } from './commands.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { AgendaFact } from './facts.ts'
import type { AgendaItem } from './item.ts'
import { type Refusal, refuse } from '../refusal.ts'

type UndoFact = Extract<AgendaFact, { kind: 'agenda.undone' | 'agenda.redone' }>
type UndoneStep = Omit<UndoFact, 'kind' | 'forgotten'>
type ItemChange = Extract<AgendaChange, { kind: 'item' }>

/** Undo restores the values before the step, redo those after it. */
type Direction = 'undo' | 'redo'

export function decideUndo(
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
