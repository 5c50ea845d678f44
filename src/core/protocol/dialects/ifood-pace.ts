/**
 * Poll and retry timing of iFood, a similar platform (fields.md, 2.5), for which many clients of the protocol are
 * built.
 */
import { defineDialect } from './dialect.ts'

export const ifoodPace = defineDialect({
  name: 'ifood-pace',
  summary:
    'polls every 30 s, webhooks retried for a quarter of an hour, cancelled unless confirmed in 8 min',
  conduct: { answerTimeout: 5000, webhookRetry: 'quarter-hour', confirmWithin: 480_000 },
  pollEvery: 30_000,
  beyond: ['limits of their own for each operation'],
})
