/** Whether a fault means a message: by what it is about, the how many-eth it is, and a draw that goes by both. */
import type { Context } from '../decision.ts'
import type { Channel } from '../fact.ts'
import { operation as operationOf, type OperationId } from '../../protocol/catalogue.ts'
import type { World } from '../world.ts'
import type { Anchor, CheckedFault } from './fault.ts'
import type { Meeting } from './meeting.ts'
import { carried, type Keys } from './place.ts'
import { wasHanded } from './handed.ts'
import type { FaultsWorld, Tally } from './world.ts'

/** No chain of tries is outlasted longer. */
const longestBurst = 25
/** A chain of tries is over when nobody has tried for so much longer than between its tries. */
const chainBreak = 2.5
const shortestGapMs = 2000
/** Between the first try and the second, of somebody who waits for an answer that never comes. */
const firstGapMs = 8000

const nothing: Tally = { seen: 0, fired: 0, last: 0, gap: 0, chains: 0 }

export const tallyOf = ({ tallies }: FaultsWorld, key: string): Tally => tallies.get(key) ?? nothing

function endsChain({ seen, last, gap }: Tally, now: number): boolean {
  const usual = seen === 1 ? firstGapMs : Math.max(gap, shortestGapMs)
  return seen > 0 && now - last > chainBreak * usual
}

/** The tally once another message has come. */
export function counted(before: Tally, now: number, fired: boolean): Tally {
  const isNew = endsChain(before, now)
  return {
    seen: before.seen + 1,
    fired: before.fired + (fired ? 1 : 0),
    last: now,
    gap: before.seen === 0 || isNew ? before.gap : Math.max(before.gap, now - before.last),
    chains: before.chains + (isNew ? 1 : 0),
  }
}

/** By its id or its slot. */
const isOrder = (wanted: string, orderId: string | undefined, { inSlots }: FaultsWorld): boolean =>
  orderId !== undefined && (orderId === wanted || inSlots.get(wanted) === orderId)

/** A store goes by its id or by its code: ids are made up anew with every seed, and codes stay. */
function isStore(
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

/** The channel that a message belongs to: that of its event, of a webhook, of a poll or an acknowledgment; most have none. */
function channelOf(meeting: Meeting): Channel | undefined {
  if (meeting.kind === 'handover') return meeting.channel
  if (meeting.kind === 'effect') return undefined
  const { webhook, behind } = operationOf(meeting.operation)
  if (webhook) return 'webhook'
  return behind.name === 'events.poll' || behind.name === 'events.acknowledge'
    ? 'polling'
    : undefined
}

/** Whether a message is about what a fault means; how many came before it is another question. */
export function isMeant(anchor: Anchor, meeting: Meeting, world: World): boolean {
  const { event, operation, trigger, order, merchant, channel, after } = anchor
  if (operation && !('operation' in meeting && operation.includes(meeting.operation))) return false
  if (trigger && !('trigger' in meeting && trigger.includes(meeting.trigger))) return false
  if (channel && channelOf(meeting) !== channel) return false
  if (!event && order === undefined && merchant === undefined && after === undefined) return true
  // All of it is asked of one event: a poll that brings one of this type and another of that order is not meant.
  return carried(meeting).some(
    ({ eventType, orderId = meeting.orderId, merchantId = meeting.merchantId }) =>
      (!event || (eventType !== undefined && event.includes(eventType))) &&
      (order === undefined || isOrder(order, orderId, world.faults)) &&
      (merchant === undefined || isStore(merchant, merchantId, orderId, world)) &&
      (after === undefined || wasHanded(world, orderId ?? '', after)),
  )
}

/** The little that is known of a message before anybody looks into it. */
export interface Glimpse {
  readonly kind: Meeting['kind']
  readonly operation?: OperationId
  /** Where it can be about one order alone. */
  readonly orderId?: string | undefined
}

/** A poll of our mailbox: it is about events that wait there, and about nothing else. */
const isPoll = ({ kind, operation }: Glimpse): boolean =>
  kind === 'answer' &&
  operation !== undefined &&
  operationOf(operation).behind.name === 'events.poll'

/** Whether anything of an order waits in the mailbox: of the one with that id, or of the one in that slot. */
function waits(wanted: string, { ordering: { orders, mailbox }, faults }: World): boolean {
  const waitsOf = (orderId = ''): boolean =>
    orders.get(orderId)?.eventIds.some((eventId) => mailbox.has(eventId)) === true
  return waitsOf(wanted) || waitsOf(faults.inSlots.get(wanted))
}

/**
 * Whether any fault in force could mean such a message. Most mean none of most kinds: of those nothing need be found out,
 * and no more work is done than without a fault.
 */
export function couldMean(world: World, glimpse: Glimpse): boolean {
  const { faults } = world
  const { kind, operation, orderId } = glimpse
  for (const { anchor, meets } of faults.live.values()) {
    if (!meets.includes(kind)) continue
    if (anchor.operation && operation && !anchor.operation.includes(operation)) continue
    const { order } = anchor
    if (order === undefined) return true
    const isPossible =
      orderId === undefined
        ? !isPoll(glimpse) || waits(order, world)
        : isOrder(order, orderId, faults)
    if (isPossible) return true
  }
  return false
}

/** Whether any fault in force means this message; where it means a store, only a closer look can tell. */
export function mightMean(meeting: Meeting, world: World): boolean {
  for (const { anchor, meets } of world.faults.live.values())
    if (
      meets.includes(meeting.kind) &&
      (anchor.merchant !== undefined || isMeant(anchor, meeting, world))
    )
      return true
  return false
}

/** Whether the burst of a fault still lasts for tries of the same call. */
function bursts({ burst }: CheckedFault, tally: Tally, now: number): boolean {
  if (burst === undefined) return true
  if (burst !== 'outlast') return tally.fired < burst
  const chains = tally.chains + (endsChain(tally, now) ? 1 : 0)
  // One more than it had tried before it gave up: what it then does must stand on its own feet.
  return tally.seen < longestBurst && (chains === 0 || (chains === 1 && tally.chains === 0))
}

/** Whether a fault must remember those that it lets pass. */
export const counts = ({ anchor, percent, burst }: CheckedFault): boolean =>
  anchor.nth !== undefined || percent !== undefined || burst !== undefined

/** Whether it is this one's turn, of all messages that are about the same. */
export function isItsTurn(
  fault: CheckedFault,
  { tries, order }: Keys,
  { world: { faults }, now, fate }: Pick<Context, 'world' | 'now' | 'fate'>,
  /** This message, by what it is about and the how many-eth it is. */
  name: string,
): boolean {
  const { anchor, percent } = fault
  if (order !== undefined && tallyOf(faults, order).seen + 1 !== anchor.nth) return false
  // Not the stream from which its distortion is drawn: only messages with a low first draw would come to that one.
  if (percent !== undefined && fate(`${name}/turn`).fraction() * 100 >= percent) return false
  return tries === undefined || bursts(fault, tallyOf(faults, tries), now)
}
