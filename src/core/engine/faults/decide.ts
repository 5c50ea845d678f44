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
import { operation } from '../../protocol/catalogue.ts'
import { orderLifecycle } from '../../protocol/orders/lifecycle.ts'
import type { Settings } from '../settings.ts'
import type { World } from '../world.ts'
import { evaluateFault, faultPassedFact } from './evaluate-fault.ts'
import type { Distortion } from './distortion.ts'
import { candidateFaults } from './fault-index.ts'
import { keepsTally } from './match.ts'
import type { MessagePoint, RepeatedEvent } from './fault-point.ts'
import type { EventChannel } from '../emitted-event.ts'

// Decides the distortion of a message on the wire: by the oldest fault that selects it.

/** The store of an order, as known to either side. */
const merchantOf = (orderId: string | undefined, { ordering, store }: World): string | undefined =>
  orderId === undefined
    ? undefined
    : (ordering.orders.get(orderId)?.order ?? store.tickets.get(orderId)?.order)?.merchant.id

const channelsOf = ({ channels: { polling, webhook } }: Settings): readonly EventChannel[] => [
  ...(polling ? (['polling'] as const) : []),
  ...(webhook ? (['webhook'] as const) : []),
]

/** The event that a repeated call caused the first time. */
function repeatedBy(
  meeting: MessagePoint,
  { world, settings }: DecisionContext,
): RepeatedEvent | undefined {
  if (meeting.kind !== 'answer' || meeting.orderId === undefined) return undefined
  const record = world.ordering.orders.get(meeting.orderId)
  if (!record) return undefined
  const { handler: behind } = operation(meeting.operation)
  const row = orderLifecycle.find(({ trigger }) => `order.${trigger}` === behind.name)
  if (!row || !record.way.some(({ trigger }) => trigger === row.trigger)) return undefined
  const eventId = record.eventIds.findLast(
    (each) => world.ordering.events.get(each)?.eventType === row.emits,
  )
  if (eventId === undefined) return undefined
  return { eventId, eventType: row.emits, channels: channelsOf(settings) }
}

/** The fault point, completed from the world. */
function completePoint(meeting: MessagePoint, context: DecisionContext): MessagePoint {
  const merchantId = meeting.merchantId ?? merchantOf(meeting.orderId, context.world)
  const events = meeting.events.map((event) => {
    const store = event.merchantId ?? merchantOf(event.orderId, context.world)
    return store === undefined ? event : { ...event, merchantId: store }
  })
  const repeats = repeatedBy(meeting, context)
  return {
    ...meeting,
    events,
    ...compact({ merchantId, repeats }),
  }
}

/** Plans of a distortion that have a wait condition become items here; the edge plans the others. */
function waitingPlanFacts(
  distortion: Distortion,
  id: number,
  context: DecisionContext,
): readonly Fact[] {
  const waits = (distortion.plans ?? []).filter(({ wait }) => wait !== undefined)
  return waits.map((planned, index) => ({
    kind: 'agenda.planned',
    item: toAgendaItem({ ...planned, fault: id }, context.world.agenda.nextId + index, 0, context),
  }))
}

function withoutWaitingPlans(distortion: Distortion): Distortion {
  const { plans, ...rest } = distortion
  const left = plans?.filter(({ wait }) => wait === undefined) ?? []
  return left.length > 0 ? { ...rest, plans: left } : rest
}

function decideMessageFault(incoming: MessagePoint, context: DecisionContext): Decision {
  const { faults: port, world } = context
  if (!port || world.faults.live.size === 0) return ok([])
  const meeting = completePoint(incoming, context)
  const facts: Fact[] = []
  let isDistorted = false
  for (const fault of candidateFaults(world.faults, meeting)) {
    if (isDistorted && !keepsTally(fault)) continue
    const evaluation = evaluateFault(fault, meeting, context, (chance, isOutlasted) => {
      const made = port.distortMessage(fault, meeting, chance, isOutlasted)
      // What is down cannot be ended once more.
      return made?.value.crash && world.faults.isDown ? undefined : made
    })
    if (evaluation.kind === 'nothing') continue
    if (evaluation.kind === 'passed' || isDistorted) {
      facts.push(faultPassedFact(evaluation.fact))
      continue
    }
    facts.push({ ...evaluation.fact, distortion: withoutWaitingPlans(evaluation.value) })
    facts.push(...waitingPlanFacts(evaluation.value, fault.id, context))
    // One fault per message, or their effects could not be distinguished. The other faults still count it.
    isDistorted = true
  }
  return ok(facts)
}

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
    const refused = port.refusal(fault, settings)
    if (refused !== undefined) return refuse('UNPROCESSABLE', refused)
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
