/** One-line text of a fact, for journal rows and log lines. */
import { settingChangesText } from './setting-changes-text.ts'
import { type Fact, isRowFact, rowOfFact } from '../engine/fact.ts'
import type { Instant } from '../engine/instant.ts'
import { clockOf } from '../engine/instant.ts'
import type { World } from '../engine/world.ts'
import { shortRoleName } from '../protocol/role.ts'
import { assertNever } from '../protocol/result.ts'
import { listCount } from '../engine/text-parts.ts'
import { isOfCapability } from '../engine/capability-kind.ts'
import { commandText, eventById, orderIdOfCommand } from './command-text.ts'
import { faultFactText, pauseFactText } from './fault-text.ts'
import { logisticsFactText } from './logistics-text.ts'
import { loyaltyFactText } from './loyalty-text.ts'
import { playbackFactText } from './playback-text.ts'

/** Order id of a fact; undefined for none or several. */
export function orderIdOfFact(fact: Fact, world: World): string | undefined {
  switch (fact.kind) {
    case 'order.created':
      return fact.order.id
    case 'event.emitted':
    case 'event.announced':
      return fact.event.orderId
    case 'event.altered':
    case 'event.offered':
    case 'event.pushed':
    case 'event.push-failed':
    case 'event.waiting':
    case 'event.given-up':
      return eventById(fact.eventId, world)?.orderId
    case 'agenda.planned':
      return orderIdOfCommand(fact.item.command, world)
    case 'agenda.taken':
    case 'agenda.held':
    case 'agenda.released':
    case 'agenda.dropped':
    case 'agenda.delayed':
    case 'agenda.moved':
    case 'agenda.edited':
      return orderIdOfCommand(fact.command, world)
    case 'agenda.undone':
    case 'agenda.redone': {
      const orders = new Set(fact.items.map(({ command }) => orderIdOfCommand(command, world)))
      return orders.size === 1 ? [...orders][0] : undefined
    }
    case 'call.placed':
    case 'call.postponed':
    case 'call.concluded':
      return fact.call.params?.['orderId'] ?? eventById(fact.call.eventId ?? '', world)?.orderId
    default:
      return 'orderId' in fact ? fact.orderId : undefined
  }
}

const eventType = (eventId: string, world: World): string =>
  eventById(eventId, world)?.eventType ?? eventId

const at = (due: Instant): string => clockOf(due)

/** Text of an undo or redo: restored, removed and lost items. */
export function undoneText(
  {
    kind,
    word,
    items,
    removed,
    gone,
    events,
  }: Extract<Fact, { kind: 'agenda.undone' | 'agenda.redone' }>,
  world: World,
): string {
  const ids = (list: readonly number[]): string => list.map((id) => `#${id}`).join(' ')
  const [first] = items
  const what = first && items.length === 1 ? `: ${commandText(first.command, world)}` : ''
  const parts = [
    ...(items.length > 0 ? [`${ids(items.map(({ id }) => id))}${what}`] : []),
    ...(removed.length > 0 ? [`${ids(removed)} removed`] : []),
    ...events.map(({ eventId }) => `${eventType(eventId, world)} as it was`),
    ...(gone.length > 0 ? [`${ids(gone)} taken meanwhile`] : []),
  ]
  return `${kind === 'agenda.undone' ? 'undone' : 'done again'}, ${word}: ${parts.join(', ')}`
}

export function factText(fact: Fact, world: World): string {
  if (isRowFact(fact)) return rowOfFact(fact).text(fact, world)
  switch (fact.kind) {
    case 'session.configured':
      return settingChangesText(fact.changes)
    case 'session.opened':
      return `session opened: Sparring plays ${fact.roles.map((role) => shortRoleName[role]).join(', ')}`
    case 'agenda.planned':
      return `${fact.item.copyOf === undefined ? 'planned' : `copy of ${fact.item.copyOf}`} #${fact.item.id}: ${commandText(fact.item.command, world)} at ${at(fact.item.due)}`
    case 'agenda.taken':
      return `taken #${fact.id}`
    case 'agenda.refused':
      return `refused #${fact.id}: ${fact.refusal.message}`
    case 'agenda.held':
      return `held #${fact.id}`
    case 'agenda.released':
      return `released #${fact.id}`
    case 'agenda.dropped':
      return `dropped #${fact.id}: ${commandText(fact.command, world)}`
    case 'agenda.delayed':
      return `delayed #${fact.id} to ${at(fact.due)}`
    case 'agenda.moved':
      return fact.all
        ? `reordered: ${fact.places.map(({ id }) => `#${id}`).join(' ')}`
        : `moved #${fact.id} past ${listCount(fact.places.slice(1), 'item')}`
    case 'agenda.edited':
      return `edited #${fact.id}: ${commandText(fact.command, world)}`
    case 'agenda.undone':
    case 'agenda.redone':
      return undoneText(fact, world)
    case 'order.created':
      return `${fact.order.fulfillment.orderType} order ${fact.order.displayId} created`
    case 'order.requested':
      return `${fact.trigger} accepted for later`
    case 'order.moved':
      return `${fact.from} > ${fact.to}${fact.forced ? ' (forced)' : ''}`
    case 'order.lapsed':
      return `${fact.trigger} had no effect in ${fact.status}`
    case 'order.amended':
      return `details added: ${Object.keys(fact.details).join(', ')}`
    case 'order.tracked':
      return 'courier update applied'
    case 'cancellation.requested':
      return `cancellation asked for${fact.code === undefined ? '' : `: ${fact.code}`}`
    case 'cancellation.answered':
      return `cancellation request: ${fact.answer}`
    case 'item.cancel-requested':
      return `cancel of item ${fact.itemId} accepted for later`
    case 'item.cancelled':
      return `${fact.quantity} of item ${fact.itemId} cancelled`
    case 'event.announced':
      return `${shortRoleName[fact.event.from]} announces ${fact.event.eventType}`
    case 'event.emitted':
      return `${fact.event.eventType} emitted`
    case 'event.altered':
      return `${eventType(fact.eventId, world)} was changed: ${Object.keys(fact.change).join(', ')}`
    case 'event.offered':
      return `${eventType(fact.eventId, world)} queued for polling`
    case 'events.polled':
      return `${listCount(fact.eventIds, 'event')} polled`
    case 'events.acknowledged':
      return `${listCount(fact.eventIds, 'event')} acknowledged${fact.filtered ? ', filtered out' : ''}`
    case 'event.pushed':
      return `${eventType(fact.eventId, world)} delivered by webhook (${fact.status})`
    case 'event.push-failed':
      return `Webhook ${eventType(fact.eventId, world)} failed (attempt ${fact.attempt}): ${fact.because}`
    case 'event.waiting':
      return `${eventType(fact.eventId, world)} queued for a webhook`
    case 'event.given-up':
      return `${eventType(fact.eventId, world)} given up after ${fact.attempts}`
    case 'ticket.announced':
      return `SS received ${fact.eventType} (${fact.channel})`
    case 'ticket.event-repeated':
      return `SS received an event again (${fact.channel})`
    case 'ticket.event-forbidden':
      return `SS rejects ${fact.eventType}: forbidden for the profile`
    case 'ticket.polled':
      return `SS polled ${listCount(fact.eventIds, 'event')}`
    case 'ticket.read':
      return `SS read ${fact.status}`
    case 'ticket.asked':
      return `SS asks: ${fact.trigger}`
    case 'ticket.accepted':
      return `SS got 202 for ${fact.trigger}`
    case 'ticket.refused':
      return `SS was refused ${fact.trigger}: ${fact.because}`
    case 'ticket.stuck':
      return `SS gives up waiting${fact.status ? ` in ${fact.status}` : ''}`
    case 'consent.granted':
      return `${fact.clientId} is authorized at ${shortRoleName[fact.host]}`
    case 'consent.denied':
      return `${fact.clientId} is not authorized at ${shortRoleName[fact.host]}: ${fact.error}`
    case 'token.issued':
      return `token for ${fact.clientId} at ${shortRoleName[fact.host]}`
    case 'token.revoked':
      return `tokens of ${fact.clientId} revoked`
    case 'call.placed':
      return `${shortRoleName[fact.call.from]} > ${shortRoleName[fact.call.to]} ${fact.call.operation}`
    case 'call.concluded':
      return `${shortRoleName[fact.call.from]} > ${shortRoleName[fact.call.to]} ${fact.call.operation}: ${fact.outcome}`
    case 'call.postponed':
      return `${shortRoleName[fact.call.from]} > ${shortRoleName[fact.call.to]} ${fact.call.operation} waits for a valid manifest`
    case 'partner.unchanged':
      return `${shortRoleName[fact.from]} read the manifest of ${shortRoleName[fact.partner]} again: ${fact.because ?? 'unchanged'}`
    case 'partner.changed':
      return `${shortRoleName[fact.from]} read another manifest of ${shortRoleName[fact.partner]}`
    case 'partner.restored':
      return `${shortRoleName[fact.from]} accepts ${shortRoleName[fact.partner]} again`
    case 'partner.accepted':
      return [
        fact.missing === undefined
          ? `${shortRoleName[fact.from]} accepts ${shortRoleName[fact.partner]}: ${fact.manifest.participantId}`
          : `${shortRoleName[fact.from]} works with ${shortRoleName[fact.partner]} without a manifest: ${fact.missing}`,
        ...(fact.manifest.notices ?? []),
      ].join('; ')
    case 'partner.rejected':
      return `${shortRoleName[fact.from]} waits for a valid manifest of ${shortRoleName[fact.partner]}: ${fact.because}`
    case 'partner.merchants':
      return `${shortRoleName[fact.from]} knows ${listCount(fact.merchants, 'merchant')}`
    default:
      if (isOfCapability(fact, 'delivery', 'shipment')) return logisticsFactText(fact)
      if (isOfCapability(fact, 'loyalty', 'reward')) return loyaltyFactText(fact)
      if (isOfCapability(fact, 'fault')) return faultFactText(fact)
      if (isOfCapability(fact, 'pause')) return pauseFactText(fact)
      if (isOfCapability(fact, 'playback')) return playbackFactText(fact)
      return assertNever(fact)
  }
}
