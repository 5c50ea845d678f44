/**
 * Decides undo and redo of edits by hand. An item is restored as it was, but never due before now. A step whose items
 * were all taken meanwhile is refused, unless the command skips such steps.
 */
import { compact } from '../../compact.ts'
import { ok } from '../../protocol/result.ts'
import type { Change } from './edits.ts'
import { notBefore } from './places.ts'
import type { AgendaCommand } from '../command.ts'
import type { Context, Decision } from '../decision.ts'
import type { AgendaFact } from '../fact.ts'
import type { Item } from './item.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { no, type Result } from '../../protocol/result.ts'

type UndoFact = Extract<AgendaFact, { kind: 'agenda.undone' | 'agenda.redone' }>
type Turned = Omit<UndoFact, 'kind' | 'forgotten'>
type ItemChange = Extract<Change, { kind: 'item' }>

/** Undo restores the values before the step, redo those after it. */
type Way = 'undo' | 'redo'

export function decideUndo(
  { kind, past }: Extract<AgendaCommand, { kind: 'agenda.undo' | 'agenda.redo' }>,
  context: Context,
): Decision {
  const way: Way = kind === 'agenda.undo' ? 'undo' : 'redo'
  const { edits } = context.world
  const steps = way === 'undo' ? edits.done : edits.undone
  let refusal: Result<never, Refusal> = refuse('NOT_FOUND', nothing[way])
  for (let forgotten = 0; forgotten < steps.length; forgotten++) {
    const turned = turn(steps.at(-1 - forgotten) ?? [], way, context)
    if (turned.ok)
      return ok([
        {
          kind: way === 'undo' ? 'agenda.undone' : 'agenda.redone',
          ...turned.value,
          ...(forgotten > 0 ? { forgotten } : {}),
        },
      ])
    if (!past) return turned
    refusal = turned
  }
  return refusal
}

const nothing = {
  undo: 'nothing was done to the agenda by hand that could be undone',
  redo: 'nothing was undone that could be done again',
} as const

function turn(step: readonly Change[], way: Way, context: Context): Result<Turned, Refusal> {
  const { world, now } = context
  const items: Item[] = []
  const removed: number[] = []
  const gone: number[] = []
  const lost: number[] = []
  let about = 0
  for (const [id, { before, after, own }] of itemsOf(step)) {
    const [left, wanted] = way === 'undo' ? [after, before] : [before, after]
    if (own) about++
    if (left && !world.agenda.byId.has(id)) {
      gone.push(id)
      if (own) lost.push(id)
    } else if (wanted) items.push(wanted)
    else removed.push(id)
  }
  const events = step.flatMap((change) =>
    change.kind === 'event'
      ? [{ eventId: change.eventId, event: way === 'undo' ? change.before : change.after }]
      : [],
  )
  const word = step[0]?.word ?? 'edit'
  if (about > 0 && lost.length === about) return no(takenMeanwhile(lost, word, way))
  return ok({
    word,
    items: notBefore(items, now),
    removed,
    gone,
    events: way === 'undo' ? events.toReversed() : events,
  })
}

/** Every item of a step once, with its first `before` and its last `after`. */
function itemsOf(
  step: readonly Change[],
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

function takenMeanwhile(ids: readonly number[], word: string, way: Way): Refusal {
  const shown = ids.slice(0, 3).join(', ')
  const items =
    ids.length === 1 ? `item ${shown} was` : `items ${shown}${ids.length > 3 ? ' …' : ''} were`
  const done = way === 'undo' ? 'undone' : 'done again'
  return { code: 'CONFLICT', message: `${items} taken meanwhile: the ${word} cannot be ${done}` }
}
