/** Loocal’s V1-style server (fields.md, 4.6): a new eventId for the same event in every poll. */
import { defineDialect } from './dialect.ts'
import { v1 } from './v1.ts'

export const loocal = defineDialect({
  ...v1,
  name: 'loocal',
  summary: 'V1 with fresh event ids in every poll, 200 [] when empty, 100 acknowledged at once',
  conduct: {
    ...v1.conduct,
    paths: { issueToken: '/api/authentication/oauth/token' },
    pollEventIds: 'fresh',
    emptyPoll: 200,
  },
  channel: 'polling',
  beyond: [
    ...v1.beyond,
    'a city that is an object, other names of totals',
    'PUT /orders/{id}/cancellation in place of requestCancellation',
  ],
})
