/** Summarises a recorded exchange as a playback row: label, operation, event. */
import { compact } from '../../core/base/compact.ts'
import { operation } from '../../core/protocol/catalogue.ts'
import type { Operation } from '../../core/protocol/operation.ts'
import type { PlaybackRef, PlaybackEvent } from '../../core/engine/playback/row.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { parseJsonBody } from '../../core/runtime/client/call-outcome.ts'

const textIn = (body: unknown, name: string): string | undefined => {
  const value: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The event that a webhook carries. */
export function webhookEventOf({
  operation: id,
  request: { body = '' },
  from,
  eventIds,
}: RecordedExchange): PlaybackEvent | undefined {
  const row: Operation | undefined = id && operation(id)
  if (!row?.webhook) return undefined
  const value = parseJsonBody(body)
  const eventType = textIn(value, 'eventType') ?? textIn(value, 'type')
  const eventId = eventIds?.[0] ?? textIn(value, 'eventId') ?? textIn(value, 'id')
  if (eventType === undefined || eventId === undefined) return undefined
  const merchantId = textIn(value, 'merchantId')
  return {
    eventId,
    eventType,
    from: from.role,
    ...compact({ merchantId }),
  }
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url)

/** `slot` returns the short name of an order. */
export function playedRow(
  recorded: RecordedExchange,
  place: number,
  slot: (orderId: string) => string,
): PlaybackRef {
  const { recordId, orderId, operation: id, request } = recorded
  const event = webhookEventOf(recorded)
  const what = event ? ['webhook', event.eventType] : [id ?? pathOf(request.url).slice(0, 80)]
  const words = [request.method, ...what, ...(orderId === undefined ? [] : [slot(orderId)])]
  return {
    recordId,
    place,
    label: words.join(' '),
    ...compact({ orderId, operation: id, event }),
  }
}
