/** A recorded exchange in the few words by which agendas, faults and screens know it. */
import { operation } from '../../protocol/catalogue.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { Played, PlayedEvent } from '../../engine/playback/row.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import { parsed } from '../client/call-outcome.ts'

const textIn = (body: unknown, name: string): string | undefined => {
  const value: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The event of a webhook. */
export function eventOf({
  operation: id,
  request: { body = '' },
  from,
  eventIds,
}: RecordedExchange): PlayedEvent | undefined {
  const row: Operation | undefined = id && operation(id)
  if (!row?.webhook) return undefined
  const value = parsed(body)
  const eventType = textIn(value, 'eventType') ?? textIn(value, 'type')
  const eventId = eventIds?.[0] ?? textIn(value, 'eventId') ?? textIn(value, 'id')
  if (eventType === undefined || eventId === undefined) return undefined
  const merchantId = textIn(value, 'merchantId')
  return {
    eventId,
    eventType,
    from: from.role,
    ...(merchantId === undefined ? {} : { merchantId }),
  }
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url)

/** `slot` is what an order is called for short. */
export function playedRow(
  recorded: RecordedExchange,
  place: number,
  slot: (orderId: string) => string,
): Played {
  const { recordId, orderId, operation: id, request } = recorded
  const event = eventOf(recorded)
  const what = event ? ['webhook', event.eventType] : [id ?? pathOf(request.url).slice(0, 80)]
  const words = [request.method, ...what, ...(orderId === undefined ? [] : [slot(orderId)])]
  return {
    recordId,
    place,
    label: words.join(' '),
    ...(orderId === undefined ? {} : { orderId }),
    ...(id === undefined ? {} : { operation: id }),
    ...(event ? { event } : {}),
  }
}
