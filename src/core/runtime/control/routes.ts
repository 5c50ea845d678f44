/** All routes of the control API, including the one that describes them. */
import { z } from 'zod'
import { compact } from '../../base/compact.ts'
import { jsonAnswer } from './answer.ts'
import { faultRoutes } from './faults.ts'
import { metricsRoute } from './metrics.ts'
import { verdictRoutes } from './verdicts.ts'
import { describeRoutes } from './openapi.ts'
import { readRoutes } from './reads.ts'
import { defineRoute, getRoute, type ControlRoute } from './route.ts'
import { waitRoutes } from './waits.ts'
import { writeRoutes } from './writes.ts'

const openApiRoute = defineRoute({
  ...getRoute('getOpenApi', '/openapi.json'),
  summary: 'This description',
  success: { status: 200, what: 'OpenAPI 3.1', response: z.looseObject({ openapi: z.string() }) },
  async answer(session) {
    const { version, control } = (await session.look({})).info
    return jsonAnswer(describeRoutes(controlRoutes, { version, ...compact({ url: control }) }))
  },
})

export const controlRoutes: readonly ControlRoute[] = [
  ...readRoutes,
  ...writeRoutes,
  ...faultRoutes,
  ...verdictRoutes,
  ...waitRoutes,
  metricsRoute,
  openApiRoute,
]
