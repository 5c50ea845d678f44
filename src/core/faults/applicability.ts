/**
 * Whether a fault can match any message: what no session has is refused, what this session lacks is noted. The same for
 * flags, configuration, scenarios, control API and dashboard.
 */
import type { CheckedFault, FaultAnchor } from '../engine/faults/fault.ts'
import type { FaultPoint } from '../engine/faults/fault-point.ts'
import type { EventChannel } from '../engine/emitted-event.ts'
import type { Settings } from '../engine/settings.ts'
import {
  type CatalogueRow,
  operation as operationOf,
  type OperationId,
} from '../protocol/catalogue.ts'
import { findClosestName } from '../protocol/closest-name.ts'
import { eventTypes, isKnownEventType } from '../protocol/event-types.ts'
import { diningAccountTriggers } from '../protocol/indoor/lifecycle.ts'
import { deliveryTriggers } from '../protocol/logistics/lifecycle.ts'
import { featureSwitchOf } from '../protocol/operation.ts'
import { isOrderEventType } from '../protocol/orders/events.ts'
import { orderTriggers } from '../protocol/orders/lifecycle.ts'

type Kind = FaultPoint['kind']

/** What an accepted call may have asked for: the triggers of the lifecycles, and commands that have no trigger. */
export const effectTriggers: readonly string[] = [
  ...new Set([
    ...orderTriggers,
    ...deliveryTriggers,
    ...diningAccountTriggers,
    'item.cancel',
    'cancellation.answer',
    'account.conclude-fiscal',
  ]),
]

const isAcknowledgmentOrPoll = ({ handler }: CatalogueRow): boolean =>
  handler.name === 'events.poll' || handler.name === 'events.acknowledge'

/** The channel whose events an operation carries; undefined for one that carries none. */
export const channelOfOperation = (row: CatalogueRow): EventChannel | undefined =>
  row.webhook ? 'webhook' : isAcknowledgmentOrPoll(row) ? 'polling' : undefined

const kindTexts: Readonly<Record<Kind, string>> = {
  handover: 'events as they are handed over',
  effect: 'the effects of accepted calls',
  arrival: 'orders that we make up',
  answer: 'answers of ours',
  call: 'calls of ours',
}

/** The conditions that rule out fault points of one kind. */
function conditionsAgainst(
  kind: Kind,
  { event, operation, trigger, channel, order, after }: FaultAnchor,
): readonly string[] {
  const isBare = kind === 'effect' || kind === 'arrival'
  const isOnTheWire = kind === 'answer' || kind === 'call'
  const rows = operation?.map(operationOf)
  const carriers = rows?.filter((row) => channelOfOperation(row) !== undefined)
  const ofChannel = rows?.filter((row) => channelOfOperation(row) === channel)
  return [
    ...(operation && !isOnTheWire ? ['operation'] : []),
    ...(trigger && kind !== 'effect' ? ['trigger'] : []),
    ...(event && (isBare || (isOnTheWire && carriers?.length === 0)) ? ['event'] : []),
    ...(channel && (isBare || (isOnTheWire && ofChannel?.length === 0)) ? ['channel'] : []),
    // An order that is still to come has no slot, and no event.
    ...(order !== undefined && kind === 'arrival' ? ['order'] : []),
    ...(after !== undefined && kind === 'arrival' ? ['after'] : []),
  ]
}

function unknownName(what: string, name: string, names: readonly string[]): string | undefined {
  const near = findClosestName(name, names)
  return near === undefined
    ? undefined
    : `names the ${what} "${name}", which there is not: is ${near} meant?`
}

/** What an accepted call of the operation asks for. */
const triggerOf = (id: OperationId): readonly string[] =>
  effectTriggers.filter((each) => operationOf(id).handler.name.replace(/^\w+\./, '') === each)

/** Why a fault can never match; undefined when it can. A far name may be a partner's own event type. */
export function impossibility(meets: readonly Kind[], anchor: FaultAnchor): string | undefined {
  const { event = [], operation = [], after, trigger = [] } = anchor
  for (const type of [...event, ...(after === undefined ? [] : [after])]) {
    const problem = isKnownEventType(type) ? undefined : unknownName('event', type, eventTypes)
    if (problem !== undefined) return problem
  }
  for (const each of trigger)
    if (!effectTriggers.includes(each))
      return (
        unknownName('trigger', each, effectTriggers) ??
        `names the trigger "${each}", which there is not: it is one of ${effectTriggers.join(', ')}`
      )
  const against = meets.map((kind) => conditionsAgainst(kind, anchor))
  if (against.some((conditions) => conditions.length === 0)) return undefined
  const acting = meets.map((kind) => kindTexts[kind]).join(', ')
  const conditions = [...new Set(against.flat())].join(' and ')
  const triggers = meets.includes('effect') && !anchor.trigger ? operation.flatMap(triggerOf) : []
  const advice = triggers.length > 0 ? `: write trigger=${triggers.join('|')} in its place` : ''
  return `can never match: it acts on ${acting}, which ${conditions} as given here rules out${advice}`
}

const isSwitchedOff = (row: CatalogueRow, { switchedOff }: Settings): boolean => {
  const needed = featureSwitchOf(row)
  return needed !== undefined && switchedOff.has(needed)
}

/** Which ends of an operation are ours: we answer it, or we call it. */
const ourEnds = ({ hosts, callers }: CatalogueRow, { roles }: Settings): readonly Kind[] => [
  ...(hosts.some((role) => roles.includes(role)) ? ['answer' as const] : []),
  ...(callers.some((role) => roles.includes(role)) ? ['call' as const] : []),
]

function missingHere(
  { name, anchor, options, meets }: CheckedFault,
  settings: Settings,
): string | undefined {
  const { channels, merchants } = settings
  const { event = [], operation, channel, merchant } = anchor
  const unknown = event.filter((type) => !isKnownEventType(type))
  if (unknown.length > 0 && unknown.length === event.length)
    return `no event of ours has the type ${unknown.join(', ')}`
  // Only Orders has two channels: the events of other capabilities are pushed in any case.
  const isOff =
    channel === 'polling'
      ? !channels.polling
      : channel === 'webhook' &&
        !channels.webhook &&
        event.length > 0 &&
        event.every(isOrderEventType)
  if (isOff) return `the channel ${channel} is off`
  if (name === 'ghost' && options['does'] === 'acknowledges' && !channels.polling)
    return 'only events that are polled are acknowledged'
  if (name === 'both-channels' && !(channels.polling && channels.webhook))
    return 'only one channel is on'
  const rows = operation?.map(operationOf) ?? []
  if (rows.length > 0 && rows.every((row) => isSwitchedOff(row, settings)))
    return `${rows.map(({ id }) => id).join(', ')} is of a capability that is switched off`
  const ends = rows.flatMap((row) => ourEnds(row, settings))
  if (rows.length > 0 && ends.length === 0)
    return `${rows.map(({ id }) => id).join(', ')} is between roles that are not played here`
  const acting = meets.map((kind) => kindTexts[kind]).join(', ')
  const isOnTheWire = meets.every((kind) => kind === 'call' || kind === 'answer')
  if (rows.length > 0 && isOnTheWire && !meets.some((kind) => ends.includes(kind)))
    return `${rows.map(({ id }) => id).join(', ')} is ${ends.includes('call') ? 'answered' : 'called'} by your service, and this acts on ${acting}`
  const codes = merchants.map(({ merchantId, externalCode = merchantId }) => externalCode)
  const isStore = merchants.some(
    ({ merchantId, externalCode }) => merchant === merchantId || merchant === externalCode,
  )
  return merchant === undefined || isStore || merchants.length === 0
    ? undefined
    : `no store is called ${merchant}; there are ${codes.slice(0, 5).join(', ')}`
}

/** Why a fault matches nothing in a session with these settings; undefined when it can. */
export function inapplicability(
  fault: CheckedFault,
  settings: Settings,
  ownReason?: string,
): string | undefined {
  const missing = missingHere(fault, settings) ?? ownReason
  return missing === undefined ? undefined : `it matches nothing here: ${missing}`
}
