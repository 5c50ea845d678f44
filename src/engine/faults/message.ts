/** What becomes of a message on the wire: one fault distorts it, the oldest that means it. */
import { operation } from '../../protocol/catalogue.ts'
import { orderLifecycle } from '../../protocol/orders/lifecycle.ts'
import { ok } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import type { Channel, Fact } from '../fact.ts'
import { itemOf } from '../agenda/plan-item.ts'
import type { Settings } from '../settings.ts'
import type { World } from '../world.ts'
import { ask, passed } from './ask.ts'
import type { Distortion } from './distortion.ts'
import { counts } from './match.ts'
import type { MessageMeeting, Repeated } from './meeting.ts'

/** The store of an order, as far as either side of it knows. */
const merchantOf = (orderId: string | undefined, { ordering, store }: World): string | undefined =>
  orderId === undefined
    ? undefined
    : (ordering.orders.get(orderId)?.order ?? store.tickets.get(orderId)?.order)?.merchant.id

const channelsOf = ({ channels: { polling, webhook } }: Settings): readonly Channel[] => [
  ...(polling ? (['polling'] as const) : []),
  ...(webhook ? (['webhook'] as const) : []),
]

/** The event that a call has led to, when it asks for what was done already. */
function repeatedBy(meeting: MessageMeeting, { world, settings }: Context): Repeated | undefined {
  if (meeting.kind !== 'answer' || meeting.orderId === undefined) return undefined
  const record = world.ordering.orders.get(meeting.orderId)
  if (!record) return undefined
  const { behind } = operation(meeting.operation)
  const row = orderLifecycle.find(({ trigger }) => `order.${trigger}` === behind.name)
  if (!row || !record.way.some(({ trigger }) => trigger === row.trigger)) return undefined
  const eventId = record.eventIds.findLast(
    (each) => world.ordering.events.get(each)?.eventType === row.emits,
  )
  if (eventId === undefined) return undefined
  return { eventId, eventType: row.emits, channels: channelsOf(settings) }
}

/** The meeting, with what only the world knows of it. */
function known(meeting: MessageMeeting, context: Context): MessageMeeting {
  const merchantId = meeting.merchantId ?? merchantOf(meeting.orderId, context.world)
  const events = meeting.events.map((event) => {
    const store = event.merchantId ?? merchantOf(event.orderId, context.world)
    return store === undefined ? event : { ...event, merchantId: store }
  })
  const repeats = repeatedBy(meeting, context)
  return {
    ...meeting,
    events,
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(repeats ? { repeats } : {}),
  }
}

/** What comes of a distortion only after something else has happened is planned here; the edge does the rest. */
function written(distortion: Distortion, id: number, context: Context): readonly Fact[] {
  const waits = (distortion.plans ?? []).filter(({ wait }) => wait !== undefined)
  return waits.map((planned, index) => ({
    kind: 'agenda.planned',
    item: itemOf({ ...planned, fault: id }, context.world.agenda.nextId + index, 0, context),
  }))
}

function withoutWaits(distortion: Distortion): Distortion {
  const { plans, ...rest } = distortion
  const left = plans?.filter(({ wait }) => wait === undefined) ?? []
  return left.length > 0 ? { ...rest, plans: left } : rest
}

export function meetMessage(met: MessageMeeting, context: Context): Decision {
  const { faults: port, world } = context
  if (!port || world.faults.live.size === 0) return ok([])
  const meeting = known(met, context)
  const facts: Fact[] = []
  let isTaken = false
  for (const fault of world.faults.live.values()) {
    if (isTaken && !counts(fault)) continue
    const asked = ask(fault, meeting, context, (chance) =>
      port.distortMessage(fault, meeting, chance),
    )
    if (asked.kind === 'nothing') continue
    if (asked.kind === 'passed' || isTaken) {
      facts.push(passed(asked.fact))
      continue
    }
    facts.push({ ...asked.fact, distortion: withoutWaits(asked.value) })
    facts.push(...written(asked.value, fault.id, context))
    // One message meets one fault: what two of them make of it nobody could tell apart. The others count it all the same.
    isTaken = true
  }
  return ok(facts)
}
