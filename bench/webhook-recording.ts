/** A recording of `count` webhooks in memory, for measuring replays at a fixed rate. */
import type { ReplayOptions } from '../src/sparring/library/index.ts'

type Recording = Exclude<ReplayOptions['recording'], string>

const t0 = Date.UTC(2026, 0, 5, 15)

export function createWebhookRecording(count: number): Recording {
  return {
    file: 'webhooks',
    header: {
      _rec: {
        v: 1,
        id: '01WEBHOOKS',
        seq: 0,
        type: 'header',
        name: 'webhooks',
        tool: 'bench',
        created: new Date(t0).toISOString(),
        t0: new Date(t0).toISOString(),
        protocol: { name: 'protocol', version: 'v2' },
        parties: [{ party: 'subject', role: 'software-service', base: 'http://127.0.0.1:3000' }],
        redaction: { policy: 'none', keyId: null, mode: 'none' },
      },
    },
    exchanges: Array.from({ length: count }, (_, index) => {
      const eventId = crypto.randomUUID()
      const orderId = crypto.randomUUID()
      const createdAt = new Date(t0 + index).toISOString()
      return {
        recordId: `r${index}`,
        seq: index + 1,
        startedAt: t0 + index,
        tookMs: 0.5,
        from: { role: 'ordering-application', party: 'sparring' },
        to: { role: 'software-service', party: 'subject' },
        operation: 'receiveOrderEvent',
        orderId,
        eventIds: [eventId],
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:3000/webhooks/orders',
          headers: [
            ['content-type', 'application/json'],
            ['authorization', 'Bearer recorded'],
            ['x-app-signature', 'recorded'],
            ['x-request-id', crypto.randomUUID()],
          ],
          body: JSON.stringify({ eventId, eventType: 'CREATED', orderId, createdAt }),
        },
        reply: { status: 204, headers: [] },
      } as const
    }),
    problems: [],
    closed: true,
  }
}
