/** A hub with webhooks only, no polling, such as menuGo (fields.md, 4.6). */
import { defineDialect } from './dialect.ts'
import { v1 } from './v1.ts'

export const pushHub = defineDialect({
  ...v1,
  name: 'push-hub',
  summary: 'V1 by webhook alone; an event of an unknown type is 400',
  conduct: { ...v1.conduct, unknownEvents: 'refuse' },
  channel: 'webhook',
  beyond: v1.beyond,
})
