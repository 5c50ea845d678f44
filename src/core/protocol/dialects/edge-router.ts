/** A host whose router does not match the literal colon of /events:polling (fields.md, 4.6). */
import { defineDialect } from './dialect.ts'
import { v1 } from './v1.ts'

export const edgeRouter = defineDialect({
  ...v1,
  name: 'edge-router',
  summary: 'V1 on a router for which the colon of a path must be written as %3A',
  conduct: { ...v1.conduct, colon: 'encoded' },
  channel: 'polling',
  beyond: v1.beyond,
})
