/** Exchanges of the fake session: a call of the Software Service, a webhook to it, a poll. */
import type { OperationId } from '../../../src/core/protocol/catalogue.ts'
import type { OrderTrigger } from '../../../src/core/protocol/orders/lifecycle.ts'
import type { Exchange, Party } from '../../../src/core/traffic/exchange.ts'

export type ExchangeParts = Omit<Exchange, 'seq' | 'startedAt' | 'tookMs'>

const host: Party = { role: 'ordering-application', party: 'sparring' }

const operations: Partial<Readonly<Record<OrderTrigger, OperationId>>> = {
  confirm: 'confirmOrder',
  preparing: 'setOrderPreparing',
  'ready-for-pickup': 'setOrderReadyForPickup',
  dispatch: 'dispatchOrder',
  delivered: 'setOrderDelivered',
}

/** The call for a trigger; undefined for triggers of the Ordering Application itself. */
export function triggerExchange(
  store: Party,
  orderId: string,
  trigger: OrderTrigger,
  at: string,
): ExchangeParts | undefined {
  const operation = operations[trigger]
  if (!operation) return undefined
  return {
    from: store,
    to: host,
    operation,
    orderId,
    request: {
      method: 'POST',
      url: `http://127.0.0.1:7101/v2/orders/${orderId}/${trigger}`,
      headers: [['content-type', 'application/json']],
      body: JSON.stringify({ at, note: 'sent by the Software Service' }),
    },
    reply: { status: 202, headers: [['content-length', '0']] },
  }
}

export const webhookExchange = (
  store: Party,
  orderId: string,
  eventType: string,
  createdAt: string,
): ExchangeParts => ({
  from: host,
  to: store,
  operation: 'receiveOrderEvent',
  orderId,
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:7102/webhooks/orders',
    headers: [['x-app-signature', 'abc123']],
    body: JSON.stringify({ eventType, orderId, createdAt }),
  },
  reply: { status: 204, headers: [] },
})

/** A poll, answered with a status (204: without events), or failed in transport. */
export const pollExchange = (store: Party, status: number, failure?: string): ExchangeParts => ({
  from: store,
  to: host,
  operation: 'pollingEvents',
  request: { method: 'GET', url: 'http://127.0.0.1:7101/v2/events:polling', headers: [] },
  ...(failure === undefined
    ? { reply: { status, headers: [], ...(status === 204 ? {} : { body: '[{}]' }) } }
    : { failure: { code: failure, message: 'the other side is gone' } }),
})
