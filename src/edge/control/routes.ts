/** All routes of the control API, including the one that describes them. */
import { jsonAnswer } from './answer.ts'
import { faultRoutes } from './faults.ts'
import { verdictRoutes } from './verdicts.ts'
import { describeRoutes } from './openapi.ts'
import { readRoutes } from './reads.ts'
import { defineRoute, type ControlRoute } from './route.ts'
import { writeRoutes } from './writes.ts'

const openApiRoute = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This description',
  success: { status: 200, what: 'OpenAPI 3.1' },
  answer: async (session) =>
    jsonAnswer(describeRoutes(controlRoutes, (await session.look({})).info.version)),
})

export const controlRoutes: readonly ControlRoute[] = [
  ...readRoutes,
  ...writeRoutes,
  ...faultRoutes,
  ...verdictRoutes,
  openApiRoute,
]
