/** Decides the distortion of a message on the wire: by the oldest fault that selects it. */
import { compact } from '../../base/compact.ts'
import { operation } from '../../protocol/catalogue.ts'
import { orderLifecycle } from '../../protocol/orders/lifecycle.ts'
import { ok } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { toAgendaItem } from '../agenda/plan-item.ts'
import type { Settings } from '../settings.ts'
import type { World } from '../world.ts'
import { evaluateFault, faultPassedFact } from './evaluate-fault.ts'
import type { Distortion } from './distortion.ts'
import { candidateFaults } from './fault-index.ts'
import { keepsTally } from './match.ts'
import type { MessagePoint, RepeatedEvent } from './fault-point.ts'
import type { EventChannel } from '../emitted-event.ts'

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

export function decideMessageFault(incoming: MessagePoint, context: DecisionContext): Decision {
  const { faults: port, world } = context
  if (!port || world.faults.live.size === 0) return ok([])
  const meeting = completePoint(incoming, context)
  const facts: Fact[] = []
  let isDistorted = false
  for (const fault of candidateFaults(world.faults, meeting)) {
    if (isDistorted && !keepsTally(fault)) continue
    const evaluation = evaluateFault(fault, meeting, context, (chance, isOutlasted) =>
      port.distortMessage(fault, meeting, chance, isOutlasted),
    )
    if (evaluation.kind === 'nothing') continue
    if (evaluation.kind === 'passed' || isDistorted) {
      facts.push(faultPassedFact(evaluation.fact))
      continue
    }
    facts.push({ ...evaluation.fact, distortion: withoutWaitingPlans(evaluation.value) })
    facts.push(...waitingPlanFacts(evaluation.value, fault.id, context))
    // One fault per message, or their effects could not be told apart. The other faults still count it.
    isDistorted = true
  }
  return ok(facts)
}
