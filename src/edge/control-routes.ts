/** Every route of the control API, and the one that describes them all. */
import { answer } from './control-answer.ts'
import { describe } from './control-openapi.ts'
import { reads } from './control-reads.ts'
import { defineRoute, type Route } from './control-route.ts'
import { writes } from './control-writes.ts'

const self = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This description',
  success: { status: 200, what: 'OpenAPI 3.1' },
  answer: async (face) => answer(describe(routes, (await face.look({})).info.version)),
})

export const routes: readonly Route[] = [...reads, ...writes, self]
