/** Retry timing of Deliveroo, a similar platform (fields.md, 2.5). */
import { defineDialect } from './dialect.ts'

export const deliverooPace = defineDialect({
  name: 'deliveroo-pace',
  summary: 'webhooks alone, retried with growing pauses for half an hour',
  conduct: { webhookRetry: 'half-hour' },
  channel: 'webhook',
  beyond: ['a circuit breaker after many failures'],
})
