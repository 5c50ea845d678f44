/** All routes of the control API, including the one that describes them. */
import { answer } from './answer.ts'
import { faultRoutes } from './faults.ts'
import { judgementRoutes } from './judgements.ts'
import { describe } from './openapi.ts'
import { reads } from './reads.ts'
import { defineRoute, type Route } from './route.ts'
import { writes } from './writes.ts'

const openApiRoute = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This description',
  success: { status: 200, what: 'OpenAPI 3.1' },
  answer: async (session) => answer(describe(routes, (await session.look({})).info.version)),
})

export const routes: readonly Route[] = [
  ...reads,
  ...writes,
  ...faultRoutes,
  ...judgementRoutes,
  openApiRoute,
]
