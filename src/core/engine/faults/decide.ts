/** Decides commands about faults: add, remove, end, evaluate. */
import { compact } from '../../base/compact.ts'
import { err, ok } from '../../protocol/result.ts'
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { AgendaItem, PlannedCommand } from '../agenda/item.ts'
import { toAgendaItem } from '../agenda/plan-item.ts'
import { refuse } from '../refusal.ts'
import type { FaultCommand } from './commands.ts'
import type { ActiveFault } from './fault.ts'
import { decideMessageFault } from './message.ts'

/** The expiry of a fault with a duration; settling does not wait for it. */
const expiry = ({ id, forMs }: ActiveFault): readonly PlannedCommand[] =>
  forMs === undefined
    ? []
    : [
        {
          command: { kind: 'fault.remove', id, expired: true },
          afterMs: forMs,
          background: 'upkeep',
        },
      ]

/** The smallest number free among faults of the same name: stable across runs that add the same faults. */
function twinOf(
  name: string,
  ...others: readonly Iterable<ActiveFault>[]
): Pick<ActiveFault, 'twin'> {
  const taken = new Set<number>()
  for (const faults of others)
    for (const each of faults) if (each.name === name) taken.add(each.twin ?? 1)
  let twin = 1
  while (taken.has(twin)) twin++
  return twin === 1 ? {} : { twin }
}

function add(spec: unknown, context: DecisionContext): Decision {
  const { faults: port, world, settings, now } = context
  if (!port) return refuse('UNPROCESSABLE', 'this session has no faults')
  const checked = port.check(spec)
  if (!checked.ok) return err(checked.error)
  const added: ActiveFault[] = []
  for (const [index, fault] of checked.value.entries()) {
    const idle = port.inapplicability(fault, settings)
    added.push({
      ...fault,
      ...compact({ idle }),
      ...twinOf(fault.name, world.faults.live.values(), added),
      id: world.faults.nextId + index,
      since: now,
      fired: 0,
    })
  }
  return ok([
    ...added.map((fault) => ({ kind: 'fault.added', fault }) as const),
    ...added.flatMap(expiry).map((planned, index) => ({
      kind: 'agenda.planned' as const,
      item: toAgendaItem(planned, world.agenda.nextId + index, 0, context),
    })),
  ])
}

/**
 * Releases every item that a fault delays. Items held by hand stay held, and hung requests stay hung: an answer now
 * would hide that the subject has no timeout of its own.
 */
function end({ world, now }: DecisionContext): Decision {
  const { live } = world.faults
  const removed = [...live.keys()].map(
    (id) => ({ kind: 'fault.removed', id, because: 'ended' }) as const,
  )
  const isHung = ({ command }: AgendaItem): boolean =>
    command.kind === 'pause.end' && command.hung === true
  const isLate = (item: AgendaItem): boolean =>
    !item.held &&
    item.due > now &&
    (item.fault !== undefined || item.wait !== undefined) &&
    !isHung(item)
  const released = [...world.agenda.byId.values()]
    .filter(isLate)
    .map(({ id, command }): Fact => ({ kind: 'agenda.released', id, command, due: now }))
  return ok([...removed, { kind: 'fault.ended' }, ...released])
}

export const faultDecisions: Decisions<FaultCommand> = {
  'fault.add': ({ spec }, context) => add(spec, context),
  'fault.remove'({ id, expired }, { world }) {
    if (!world.faults.live.has(id))
      return expired ? ok([]) : refuse('NOT_FOUND', `no fault ${id} is active`)
    return ok([{ kind: 'fault.removed', id, because: expired ? 'expired' : 'removed' }])
  },
  'fault.end': (_command, context) => end(context),
  'fault.meet': ({ meeting }, context) => decideMessageFault(meeting, context),
}
