/**
 * Splits polls and acknowledgments into one exchange per event: how events are batched is a matter of timing, so each
 * is compared as if it had come alone.
 */
import { parseExactJson } from '../json/lossless-json.ts'
import { compact } from '../../base/compact.ts'
import type { Exchange } from '../exchange.ts'
import { tryParseJson } from '../json/try-parse-json.ts'
import { isAcknowledgmentCall, isPollCall } from '../polling.ts'
import { isList } from './json.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'

const textIn = (value: UnknownRecord, ...names: readonly string[]): string | undefined =>
  names.map((name) => value[name]).find((each): each is string => typeof each === 'string')

/** The event of a polled member, with or without its envelope. */
const eventIn = (value: unknown): UnknownRecord | undefined => {
  const inside = isUnknownRecord(value) && isUnknownRecord(value['event']) ? value['event'] : value
  return isUnknownRecord(inside) ? inside : undefined
}

const typeIn = (value: unknown): string | undefined => {
  const event = eventIn(value)
  return event && textIn(event, 'eventType', 'type')
}

const listIn = (value: unknown): readonly unknown[] => (isList(value) ? value : [])

/** The type of the event that an exchange hands over, when it hands over exactly one. */
export function eventTypeOf(exchange: Exchange | undefined): string | undefined {
  if (!exchange) return undefined
  if (isPollCall(exchange)) {
    const events = listIn(tryParseJson(exchange.reply?.body))
    return events.length === 1 ? typeIn(events[0]) : undefined
  }
  return exchange.operation?.startsWith('receive')
    ? typeIn(tryParseJson(exchange.request.body))
    : undefined
}

function pollWithEvent<Some extends Exchange>(poll: Some, event: unknown): Some {
  const own = eventIn(event)
  const eventId = own && textIn(own, 'eventId', 'id')
  const orderId = own && textIn(own, 'orderId')
  return {
    ...poll,
    ...compact({ orderId }),
    ...(eventId === undefined ? {} : { eventIds: [eventId] }),
    ...(poll.reply ? { reply: { ...poll.reply, body: JSON.stringify([event]) } } : {}),
  }
}

/** The event id of an acknowledgment member, in any of the shapes of the field. */
const eventIdIn = (member: unknown): string | undefined => {
  if (typeof member === 'string') return member
  return isUnknownRecord(member) ? textIn(member, 'eventId', 'id') : undefined
}

function splitAcknowledgment<Some extends Exchange>(exchange: Some): readonly Some[] | undefined {
  const body = tryParseJson(exchange.request.body)
  const wrapped = isUnknownRecord(body)
  const members = listIn(wrapped ? body['eventIds'] : body)
  const ids = members.map(eventIdIn)
  if (members.length === 0 || ids.includes(undefined)) return undefined
  return members.map((member, index) => ({
    ...exchange,
    eventIds: [ids[index] ?? ''],
    request: {
      ...exchange.request,
      body: JSON.stringify(wrapped ? { ...body, eventIds: [member] } : [member]),
    },
  }))
}

/** Splits a poll or an acknowledgment into one exchange per event; returns any other exchange unchanged. */
export function splitByEvent<Some extends Exchange>(exchange: Some): readonly Some[] {
  if (isAcknowledgmentCall(exchange)) return splitAcknowledgment(exchange) ?? [exchange]
  if (!isPollCall(exchange)) return [exchange]
  const events = listIn(parseExactJson(exchange.reply?.body ?? '')?.value)
  return events.length === 0 ? [exchange] : events.map((event) => pollWithEvent(exchange, event))
}
