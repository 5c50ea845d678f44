/** Matches faults against messages: by content (anchor), by count (nth, burst) and by a draw (percent). */
import type { DecisionContext } from '../decision.ts'
import { operation as operationOf, type OperationId } from '../../protocol/catalogue.ts'
import type { World } from '../world.ts'
import type { ActiveFault, FaultAnchor, CheckedFault } from './fault.ts'
import { candidateFaults, isAnyFaultAbout, ordersOfFaults } from './fault-index.ts'
import type { FaultPoint } from './fault-point.ts'
import { carriedEventsOf, type TallyKeys } from './point-label.ts'
import { wasHandedOver } from './handed-over.ts'
import { tallyOf, endsChain } from './slots.ts'
import type { FaultsWorld, Tally } from './world.ts'
import type { EventChannel } from '../emitted-event.ts'

/** Maximum attempts that `outlast` distorts in one retry chain. */
const maxOutlastedAttempts = 25
/** Matches an order by its id or its slot. */
const matchesOrder = (
  wanted: string,
  orderId: string | undefined,
  { orderBySlot: inSlots }: FaultsWorld,
): boolean => orderId !== undefined && (orderId === wanted || inSlots.get(wanted) === orderId)

/** Matches a store by its id or its code: ids differ with every seed, codes do not. */
function matchesStore(
  wanted: string,
  merchantId: string | undefined,
  orderId: string | undefined,
  { ordering, store }: World,
): boolean {
  if (merchantId === wanted) return true
  if (orderId === undefined) return false
  const order = ordering.orders.get(orderId)?.order ?? store.tickets.get(orderId)?.order
  return order?.merchant.externalCode === wanted
}

/** The channel of a message: of its event, webhook, poll or acknowledgment; other messages have none. */
function channelOf(meeting: FaultPoint): EventChannel | undefined {
  if (meeting.kind === 'handover') return meeting.channel
  if (!('operation' in meeting)) return undefined
  const { webhook, handler: behind } = operationOf(meeting.operation)
  if (webhook) return 'webhook'
  return behind.name === 'events.poll' || behind.name === 'events.acknowledge'
    ? 'polling'
    : undefined
}

/** Whether a message matches the anchor by content; `nth` is checked separately. */
export function matchesAnchor(anchor: FaultAnchor, meeting: FaultPoint, world: World): boolean {
  const { event, operation, trigger, order, merchant, channel, after } = anchor
  if (operation && !('operation' in meeting && operation.includes(meeting.operation))) return false
  if (trigger && !('trigger' in meeting && trigger.includes(meeting.trigger))) return false
  if (channel && channelOf(meeting) !== channel) return false
  if (!event && order === undefined && merchant === undefined && after === undefined) return true
  // All conditions must hold for one and the same event of a poll.
  return carriedEventsOf(meeting).some(
    ({ eventType, orderId = meeting.orderId, merchantId = meeting.merchantId }) =>
      (!event || (eventType !== undefined && event.includes(eventType))) &&
      (order === undefined || matchesOrder(order, orderId, world.faults)) &&
      (merchant === undefined ||
        ('merchantCode' in meeting && meeting.merchantCode === merchant) ||
        matchesStore(merchant, merchantId, orderId, world)) &&
      (after === undefined || wasHandedOver(world, orderId ?? '', after)),
  )
}

/** What is known of a message before its content is read. */
export interface PointPreview {
  readonly kind: FaultPoint['kind']
  readonly operation?: OperationId
  /** Set when it concerns one order only. */
  readonly orderId?: string | undefined
}

/** A poll of our mailbox: it concerns the events that wait there only. */
const isPoll = ({ kind, operation }: PointPreview): boolean =>
  kind === 'answer' &&
  operation !== undefined &&
  operationOf(operation).handler.name === 'events.poll'

/** Whether any event of an order, named by id or slot, waits in the mailbox. */
function hasWaitingEvents(
  wanted: string,
  { ordering: { orders, mailbox }, faults }: World,
): boolean {
  const hasWaiting = (orderId = ''): boolean =>
    orders.get(orderId)?.eventIds.some((eventId) => mailbox.has(eventId)) === true
  return hasWaiting(wanted) || hasWaiting(faults.orderBySlot.get(wanted))
}

/**
 * Fast pre-check whether any fault in force could match such a message. Most match none of most kinds, and then the
 * message costs no more than without faults.
 */
export function couldAnyFaultMatch(world: World, preview: PointPreview): boolean {
  const { faults } = world
  const { kind, operation, orderId } = preview
  const isMeant = ({ anchor, meets }: ActiveFault): boolean =>
    meets.includes(kind) &&
    (!anchor.operation || !operation || anchor.operation.includes(operation))
  if (orderId !== undefined) return isAnyFaultAbout(faults, orderId, isMeant)
  if (!isPoll(preview)) return Array.from(faults.live.values()).some(isMeant)
  return (
    isAnyFaultAbout(faults, undefined, isMeant) ||
    ordersOfFaults(faults).some(
      (order) =>
        hasWaitingEvents(order, world) &&
        isAnyFaultAbout(faults, faults.orderBySlot.get(order) ?? order, isMeant),
    )
  )
}

/** Whether any fault in force matches this message; for an anchor with a store, whether it may. */
export function doesAnyFaultMatch(meeting: FaultPoint, world: World): boolean {
  for (const { anchor, meets } of candidateFaults(world.faults, meeting))
    if (
      meets.includes(meeting.kind) &&
      (anchor.merchant !== undefined || matchesAnchor(anchor, meeting, world))
    )
      return true
  return false
}

/**
 * Whether the burst of a fault still covers attempts of the same call. A call about no order (a poll, a token) is over when
 * it is let through: the next one is another call.
 */
function isWithinBurst(
  { burst }: CheckedFault,
  tally: Tally,
  { isPeriodic, now }: { readonly isPeriodic: boolean; readonly now: number },
): boolean {
  if (burst === undefined) return true
  if (burst !== 'outlast') return (isPeriodic ? tally.firedInRow : tally.fired) < burst
  const chains = tally.chains + (endsChain(tally, now) ? 1 : 0)
  // The attempt that starts the next retry chain is let through: it must succeed on its own.
  return tally.seen < maxOutlastedAttempts && (chains === 0 || (chains === 1 && tally.chains === 0))
}

/** Whether a fault must count the messages that it lets pass. */
export const keepsTally = ({ anchor, percent, burst }: CheckedFault): boolean =>
  anchor.nth !== undefined || percent !== undefined || burst !== undefined

/** Whether a fault selects this message among those that it matches (nth, percent, burst). */
export function isSelected(
  fault: CheckedFault,
  { tries, isPeriodic, order }: TallyKeys,
  { world: { faults }, now, draw }: Pick<DecisionContext, 'world' | 'now' | 'draw'>,
  /** Name of the message for draws: content and count. */
  name: string,
): boolean {
  const { anchor, percent } = fault
  if (order !== undefined && tallyOf(faults, order).seen + 1 !== anchor.nth) return false
  // Not the stream of the distortion itself: that one would then get only low first draws.
  if (percent !== undefined && draw(`${name}/turn`).fraction() * 100 >= percent) return false
  return tries === undefined || isWithinBurst(fault, tallyOf(faults, tries), { isPeriodic, now })
}
