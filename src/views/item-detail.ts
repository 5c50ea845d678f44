/** Detail of an agenda item: its command, and the wire form of the event that it hands over. */
import { compact } from '../compact.ts'
import type { Command } from '../engine/command.ts'
import type { World } from '../engine/world.ts'
import type { ItemDetail } from '../session-api/session-api.ts'
import { agendaRow } from './agenda-rows.ts'

/** The event that a command hands over. */
function eventIdOf(command: Command): string | undefined {
  if (command.kind === 'event.offer' || command.kind === 'event.push') return command.eventId
  return command.kind === 'call.place' ? command.call.eventId : undefined
}

function eventOf(command: Command, { ordering, announcements }: World): ItemDetail['event'] {
  const eventId = eventIdOf(command)
  if (eventId === undefined) return undefined
  const event = ordering.events.get(eventId)
  if (event) {
    // `merchantId` is left out: the host adds the address when the event is sent.
    const { merchantId: _merchantId, more, ...fields } = event
    return { eventId, eventType: event.eventType, fields: { ...fields, ...more } }
  }
  const announced = announcements.events.get(eventId)
  return (
    announced && {
      eventId,
      eventType: announced.eventType,
      fields: announced.body as Readonly<Record<string, unknown>>,
    }
  )
}

export function itemDetail(id: number, world: World): ItemDetail | undefined {
  const item = world.agenda.byId.get(id)
  if (!item) return undefined
  const event = eventOf(item.command, world)
  return { row: agendaRow(item, world), command: item.command, ...compact({ event }) }
}
