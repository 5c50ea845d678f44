/** Partners that differ from the documents in timing: of polls, of retries, of tokens. */
import { defineDialect } from './dialect.ts'

/** Foody, its delivery side (fields.md, 4.6 and 2.5). */
export const foody = defineDialect({
  name: 'foody',
  summary: 'deliveries with expires_in as an epoch in milliseconds and one retry of a webhook',
  conduct: {
    tokenUnit: 'epoch-milliseconds',
    tokenLife: 21_600_000,
    answerTimeout: 10_000,
    webhookRetry: 'one-more',
  },
  beyond: ['its paths and events are those of V1’s deliveries'],
})

/**
 * Poll and retry timing of iFood, a similar platform (fields.md, 2.5), for which many clients of the protocol are
 * built.
 */
export const ifoodPace = defineDialect({
  name: 'ifood-pace',
  summary:
    'polls every 30 s, webhooks retried for a quarter of an hour, cancelled unless confirmed in 8 min',
  conduct: { answerTimeout: 5000, webhookRetry: 'quarter-hour', confirmWithin: 480_000 },
  pollEvery: 30_000,
  beyond: ['limits of their own for each operation'],
})

/** Retry timing of Uber Eats, a similar platform (fields.md, 2.5). */
export const uberEatsPace = defineDialect({
  name: 'uber-eats-pace',
  summary:
    'webhooks alone, sent seven times with pauses that double; cancelled unless confirmed in 11.5 min',
  conduct: { webhookRetry: 'exponential', confirmWithin: 690_000 },
  channel: 'webhook',
  beyond: [],
})

/** Retry timing of Deliveroo, a similar platform (fields.md, 2.5). */
export const deliverooPace = defineDialect({
  name: 'deliveroo-pace',
  summary: 'webhooks alone, retried with growing pauses for half an hour',
  conduct: { webhookRetry: 'half-hour' },
  channel: 'webhook',
  beyond: ['a circuit breaker after many failures'],
})
