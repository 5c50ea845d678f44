/** Retry timing of Uber Eats, a similar platform (fields.md, 2.5). */
import { defineDialect } from './dialect.ts'

export const uberEatsPace = defineDialect({
  name: 'uber-eats-pace',
  summary:
    'webhooks alone, sent seven times with pauses that double; cancelled unless confirmed in 11.5 min',
  conduct: { webhookRetry: 'exponential', confirmWithin: 690_000 },
  channel: 'webhook',
  beyond: [],
})
