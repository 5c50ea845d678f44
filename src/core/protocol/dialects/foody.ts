/** Foody, its delivery side (fields.md, 4.6 and 2.5). */
import { defineDialect } from './dialect.ts'

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
