/** Short text of a command, for agenda rows and refusals. */
import { settingChangesText } from './setting-changes-text.ts'
import { type Command, isRowCommand, rowOfCommand } from '../engine/command.ts'
import type { World } from '../engine/world.ts'
import { operation } from '../protocol/catalogue.ts'
import { shortRoleName } from '../protocol/role.ts'
import { formatDuration } from '../protocol/duration.ts'
import { assertNever } from '../protocol/result.ts'
import { isOfCapability } from '../engine/capability-kind.ts'
import { faultCommandText, pauseCommandText } from './fault-text.ts'
import { logisticsCommandText } from './logistics-text.ts'
import { loyaltyCommandText } from './loyalty-text.ts'
import { playbackCommandText } from './playback-text.ts'

/** Type and order of an event of any capability. */
export const eventById = (
  eventId: string,
  { ordering, announcements }: World,
): { readonly eventType: string; readonly orderId?: string } | undefined =>
  ordering.events.get(eventId) ?? announcements.events.get(eventId)

/** Order id of a command. */
export function orderIdOfCommand(command: Command, world: World): string | undefined {
  switch (command.kind) {
    case 'order.create':
      return command.order.id
    case 'event.offer':
    case 'event.push':
    case 'event.alter':
      return eventById(command.eventId, world)?.orderId
    case 'ticket.notify':
    case 'shipment.notify':
      return command.event.orderId
    case 'delivery.create':
      return command.wish.orderId
    case 'call.place':
      return (
        command.call.params?.['orderId'] ??
        (command.call.eventId === undefined
          ? undefined
          : eventById(command.call.eventId, world)?.orderId)
      )
    case 'call.conclude':
      return world.calls.get(command.callId)?.params?.['orderId']
    default:
      return 'orderId' in command ? command.orderId : undefined
  }
}

const eventType = (eventId: string, world: World): string =>
  eventById(eventId, world)?.eventType ?? 'an unknown event'

export function commandText(command: Command, world: World): string {
  if (isRowCommand(command)) return rowOfCommand(command).text(command, world)
  switch (command.kind) {
    case 'session.configure':
      return settingChangesText(command.changes)
    case 'session.open':
      return 'the session opens'
    case 'agenda.plan':
      return `${commandText(command.command, world)} in ${formatDuration(command.afterMs)}`
    case 'agenda.hold':
    case 'agenda.release':
    case 'agenda.drop':
    case 'agenda.duplicate':
    case 'agenda.delay':
    case 'agenda.move':
    case 'agenda.edit':
      return `${command.kind.slice('agenda.'.length)} item ${command.id}`
    case 'agenda.arrange':
      return `reorder ${command.order.length} items`
    case 'agenda.batch':
      return `${command.edits[0]?.kind.slice('agenda.'.length) ?? 'edit'} ${command.edits.length} items`
    case 'agenda.undo':
      return 'undo what was last done by hand'
    case 'agenda.redo':
      return 'do again what was undone last'
    case 'order.create':
      return `a ${command.order.fulfillment.orderType} order arrives`
    case 'order.request':
      return `${command.trigger} is asked for`
    case 'order.apply':
      return `${command.trigger} takes effect${command.force ? ', forced' : ''}`
    case 'order.amend':
      return `order details: ${Object.keys(command.details).join(', ')}`
    case 'order.track':
      return 'a courier update'
    case 'cancellation.request':
      return `cancellation asked for${command.request.code ? `: ${command.request.code}` : ''}`
    case 'cancellation.answer':
      return command.answer === 'open'
        ? 'the cancellation request stays open'
        : `the cancellation request: ${command.answer}`
    case 'item.request-cancel':
      return `cancel of item ${command.itemId} asked for`
    case 'item.cancel':
      return `cancel of item ${command.itemId} takes effect`
    case 'event.emit':
      return `${command.eventType} is emitted`
    case 'event.invent':
      return `${command.eventType} of an unknown type is emitted`
    case 'event.alter':
      return `${eventType(command.eventId, world)} is changed: ${Object.keys(command.change).join(', ')}`
    case 'event.offer':
      return `${eventType(command.eventId, world)} to polls`
    case 'event.push':
      return `${eventType(command.eventId, world)} by webhook`
    case 'events.poll':
      return 'a poll'
    case 'events.acknowledge':
      return `${command.eventIds.length} acknowledged`
    case 'ticket.notify':
      return `${command.event.eventType} reaches SS`
    case 'ticket.advance':
      return `SS ${command.trigger}${command.force ? ', out of turn' : ''}`
    case 'ticket.reconcile':
      return 'SS reads the order'
    case 'ticket.cancel':
      return 'SS asks to cancel'
    case 'ticket.cancel-item':
      return `SS cancels item ${command.itemId}`
    case 'consent.ask':
      return `${command.clientId} asks for an authorization`
    case 'token.issue':
      return `a token for ${command.clientId}`
    case 'token.revoke':
      return `the tokens of ${command.clientId} are revoked`
    case 'partner.trust':
      return `${shortRoleName[command.partner]} is trusted without a manifest`
    case 'call.place': {
      const { from, to, operation: id, attempt } = command.call
      return `${shortRoleName[from]} > ${shortRoleName[to]} ${operation(id).id}${attempt > 1 ? `, try ${attempt}` : ''}`
    }
    case 'call.conclude':
      return `the end of call ${command.callId}`
    default:
      if (isOfCapability(command, 'delivery', 'shipment')) return logisticsCommandText(command)
      if (isOfCapability(command, 'loyalty', 'reward')) return loyaltyCommandText(command)
      if (isOfCapability(command, 'fault')) return faultCommandText(command)
      if (isOfCapability(command, 'pause')) return pauseCommandText(command)
      if (isOfCapability(command, 'playback')) return playbackCommandText(command)
      return assertNever(command)
  }
}
