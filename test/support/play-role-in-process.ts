/**
 * Plays a run of a scenario in this process against Sparring itself as the service: a second session plays its role, on the
 * clock of the first, with a mistake on the way where one is given.
 */
import { configurationParts } from '../../src/core/session-api/configuration/schema.ts'
import { configurationOf } from '../../src/core/scenario/options.ts'
import type { ScenarioOutcome } from '../../src/core/scenario/outcome.ts'
import { playRun } from '../../src/core/scenario/play.ts'
import type { ScenarioRun } from '../../src/core/scenario/runs.ts'
import type { FetchHandler } from '../../src/core/session-api/session.ts'
import { prepareSession } from '../../src/core/session/session.ts'
import { type Role, roles } from '../../src/core/protocol/role.ts'
import { startSessionService } from './session-service.ts'

/** A mistake of the service, made on the way: how it answers a request, or how it makes a call. */
export interface Mistake {
  readonly answer?: (request: Request, forward: FetchHandler) => Promise<Response>
  readonly call?: (request: Request, forward: FetchHandler) => Promise<Response>
}

/** The address of a role of Sparring in this process. */
const urlOf = (role: Role): string => `http://${role}.test`

export async function playRoleInProcess(
  run: ScenarioRun,
  { answer, call }: Mistake = {},
): Promise<ScenarioOutcome> {
  const { subject } = run.scenario
  if (subject === 'none') throw new Error('there is no service in it')
  const input = configurationOf(run, {})
  const session = await prepareSession({
    ...input,
    seed: input.seed ?? 1,
    clock: 'virtual',
    listen: false,
    automatic: false,
    subject: { ...input.subject, role: subject, url: urlOf(subject) },
    handler: (request) => (answer ? answer(request, answering.fetch) : answering.fetch(request)),
  })
  const [partner = subject, ...others] = roles.filter((each) => each !== subject)
  const answering = startSessionService(
    {
      plays: subject,
      partner,
      others,
      capabilities: input.capabilities ?? {},
      ...(subject === 'crm' ? { counterparts: { crm: { mode: 'hybrid' } } } : {}),
    },
    {
      clock: session.clock,
      fetch: (request) => (call ? call(request, session.fetch) : session.fetch(request)),
    },
  )
  try {
    await Promise.all([session.begin(), session.loadFaults()])
    const service = await answering.session
    return await playRun(run, session, {
      sleep: () => Promise.resolve(),
      // It is asked as its dashboard would ask it.
      requestSubject: async ({ path, body }) => {
        if (path === '/orders' || path.endsWith('/orders')) {
          const created = await service.createOrder(body as object)
          return created.ok ? 201 : 422
        }
        return 404
      },
      tolerances: configurationParts.tolerances().parse(input.tolerances ?? {}),
    })
  } finally {
    const stopping = answering[Symbol.asyncDispose]()
    await session.advance(0)
    await stopping
    await session.close()
  }
}
