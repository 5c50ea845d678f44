/**
 * Exchanges of a service that answers with numbers, ids and times of its own, as run after run would have them: the
 * same orders, the same behaviour, and other tickets, receipts and instants.
 */
import { createChance } from '../../src/core/engine/chance.ts'
import { isoOf } from '../../src/core/engine/instant.ts'
import type { Exchange, HeaderPairs } from '../../src/core/traffic/exchange.ts'
import { sampleT0 } from './sample-exchange.ts'

export interface NoisyRun {
  readonly seed: number
  /** The number of its first ticket. */
  readonly firstTicket: number
  /** Upper bound of the random delay of each instant, in ms. */
  readonly jitterMs?: number
  /** Two orders that get their tickets in the other order. */
  readonly swapped?: readonly [number, number]
}

const json: HeaderPairs = [['Content-Type', 'application/json']]
const plain: HeaderPairs = [['Content-Type', 'text/plain; charset=utf-8']]
const form: HeaderPairs = [['Content-Type', 'application/x-www-form-urlencoded']]
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const service = { role: 'software-service', party: 'subject' } as const
const partner = { role: 'ordering-application', party: 'sparring' } as const

/** With recorded order ids and instants that are shifted back already, as a comparison has them. */
export function noisySession(
  { seed, firstTicket, jitterMs = 0, swapped = [-1, -1] }: NoisyRun,
  orders = 8,
): readonly Exchange[] {
  const chance = createChance(seed)
  /** What both runs have alike. */
  const common = createChance(1)
  const code = (length: number): string =>
    Array.from({ length }, () => alphabet[chance.below(alphabet.length)]).join('')
  const late = (): number => (jitterMs === 0 ? 0 : chance.below(jitterMs))
  const exchanges: Exchange[] = []

  function add(orderId: string, change: Pick<Exchange, 'from' | 'to'> & Partial<Exchange>): void {
    const seq = exchanges.length + 1
    exchanges.push({
      seq,
      startedAt: sampleT0 + seq * 100,
      tookMs: 5,
      orderId,
      request: { method: 'POST', url: 'http://127.0.0.1:3000/', headers: [] },
      ...change,
    })
  }

  for (let nth = 0; nth < orders; nth++) {
    const orderId = common.uuid()
    const at = sampleT0 + nth * 60_000
    const place = nth === swapped[0] ? swapped[1] : nth === swapped[1] ? swapped[0] : nth
    const number = firstTicket + place
    const ticket = `T-${number}`
    const ticketId = `tk_${code(12)}`
    const total = 20 + common.below(80)
    const openedAt = isoOf(at + late())
    const answer = (ms: number) => ({
      receiptId: chance.uuid(),
      ticket,
      ticketId,
      receivedAt: isoOf(at + ms + late()),
      at: (at + ms + late()) / 1000 + 0.000123,
    })
    const push = (eventType: string, ms: number): void =>
      add(orderId, {
        from: partner,
        to: service,
        operation: 'receiveOrderEvent',
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:3000/webhooks/orders',
          headers: json,
          body: JSON.stringify({ eventId: common.uuid(), eventType, orderId, table: 'T-7' }),
        },
        reply: { status: 202, headers: json, body: JSON.stringify(answer(ms)) },
      })
    push('CREATED', 0)
    add(orderId, {
      from: service,
      to: partner,
      operation: 'confirmOrder',
      params: { orderId },
      request: {
        method: 'POST',
        url: `http://127.0.0.1:7101/orders/${orderId}/confirm`,
        headers: json,
        body: JSON.stringify({
          estimatedPreparationTimeMinutes: 12,
          ticketNumber: number,
          kitchenKey: ticketId,
          openedAt,
        }),
      },
      reply: { status: 202, headers: [] },
    })
    push('CONFIRMED', 1000)
    add(orderId, {
      from: partner,
      to: service,
      operation: 'getOrder',
      params: { orderId },
      request: { method: 'GET', url: `http://127.0.0.1:3000/orders/${orderId}`, headers: [] },
      reply: {
        status: 200,
        headers: json,
        body: JSON.stringify({
          orderId,
          status: 'CONFIRMED',
          isOpen: true,
          ticket,
          ticketId,
          table: 'T-7',
          station: 'hot-2',
          errorCode: 'E-100',
          total: { value: total, currency: 'BRL' },
          items: [{ name: 'Sushi 12', quantity: 1 + (nth % 3), plu: `P-${200 + nth}` }],
          openedAt,
          log: ['confirm', 'preparing'].map((action, index) => ({
            id: chance.uuid(),
            action,
            status: 202,
            at: at + index * 500 + late(),
          })),
        }),
      },
    })
    const link = `http://127.0.0.1:${firstTicket > 1001 ? 41_233 : 3000}/slips/${ticket}`
    add(orderId, {
      from: partner,
      to: service,
      request: { method: 'POST', url: 'http://127.0.0.1:3000/slips', headers: plain, body: 'x' },
      reply: {
        status: 201,
        headers: [...plain, ['Location', link]],
        body: `Slip of ${ticket} printed at ${isoOf(at + 1500 + late())}, see ${link}. 2 copies.`,
      },
    })
    add(orderId, {
      from: partner,
      to: service,
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:3000/pay',
        headers: form,
        body: `orderId=${orderId}`,
      },
      reply: {
        status: 200,
        headers: form,
        body: new URLSearchParams({
          approvalKey: code(11),
          state: 'PAID',
          ticket,
          paidAt: isoOf(at + 2000 + late()),
        }).toString(),
      },
    })
  }
  return exchanges
}
