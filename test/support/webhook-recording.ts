/** A recording of independent webhooks, one millisecond apart, each for another order. */
import type { RecordingContent } from '../../src/core/traffic/recording/content.ts'
import { sampleExchange } from './sample-exchange.ts'

const t0 = Date.UTC(2026, 0, 5, 15)

export function webhookRecording(count: number): RecordingContent {
  const created = new Date(t0).toISOString()
  return {
    file: 'webhooks',
    header: {
      _rec: {
        v: 1,
        id: '01WEBHOOKS',
        seq: 0,
        type: 'header',
        name: 'webhooks',
        tool: 'test',
        created,
        t0: created,
        protocol: { name: 'protocol', version: 'v2' },
        parties: [{ party: 'subject', role: 'software-service', base: 'http://shop.test' }],
        redaction: { policy: 'none', keyId: null, mode: 'none' },
      },
    },
    exchanges: Array.from({ length: count }, (_, place) => {
      const eventId = `event-${1000 + place}`
      const orderId = `order-${1000 + place}`
      return {
        ...sampleExchange(place + 1, {
          operation: 'receiveOrderEvent',
          startedAt: t0 + place,
          from: { role: 'ordering-application', party: 'sparring' },
          to: { role: 'software-service', party: 'subject' },
          orderId,
          eventIds: [eventId],
          request: {
            method: 'POST',
            url: 'http://shop.test/webhooks/orders',
            headers: [['content-type', 'application/json']],
            body: JSON.stringify({ eventId, eventType: 'CREATED', orderId, createdAt: created }),
          },
          reply: { status: 204, headers: [] },
        }),
        recordId: `r${place}`,
      }
    }),
    problems: [],
    closed: true,
  }
}
