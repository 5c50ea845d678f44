/** Retry timing of Uber Eats, a similar platform (fields.md, 2.5). */
import { defineDialect } from './dialect.ts'

export const uberEatsPace = defineDialect({
  name: 'uber-eats-pace',
  summary: 'webhooks alone, sent seven times with pauses that double',
  conduct: { webhookRetry: 'exponential' },
  channel: 'webhook',
  beyond: ['an order that is not confirmed in 11.5 minutes is cancelled'],
})
