/** Checks of the limits of Customer, declared by the service and kept by its calls: LIM-CUS, LIM-UND. */
import { operation } from '../../../protocol/catalogue.ts'
import type { Role } from '../../../protocol/role.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import {
  atSteps,
  each,
  every,
  isBoolean,
  isInteger,
  optional,
  observation,
  where,
} from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { hasErrorBody } from './error-body.ts'
import { capabilityIn, eachBlock } from './manifests.ts'

export const limitRoles = ['ordering-application', 'crm'] as const satisfies readonly Role[]
export const dayMs = 86_400_000

type Limit = 'maxBatchSize' | 'maxGetPeriodDays' | 'requestsPerSecond'

/** A limit that our manifest has declared to the service before this call. */
function declaredTo(trace: Trace, call: Observed, name: Limit | 'supportsBatchPost'): unknown {
  const read = trace
    .calls('getManifest')
    .findLast(
      ({ exchange, status }) =>
        status === 200 &&
        exchange.to.role === call.exchange.to.role &&
        exchange.seq < call.exchange.seq,
    )
  return capabilityIn(read?.reply, 'customer')?.block[name]
}

const customerCalls = (trace: Trace): readonly Observed[] =>
  trace
    .calls()
    .filter(({ operation: id }) => id !== undefined && operation(id).capability === 'customer')

/** Records in a body: entries of the longest list at its top. */
export function recordCountIn(body: unknown): number {
  if (Array.isArray(body)) return body.length
  if (!isUnknownRecord(body)) return 0
  return Math.max(
    1,
    ...Object.values(body).map((value) => (Array.isArray(value) ? value.length : 0)),
  )
}

/** The days that a query spans; undefined where it names no begin. */
export function daysAsked({
  url,
  exchange,
}: Pick<Observed, 'url' | 'exchange'>): number | undefined {
  const dateAt = (...names: readonly string[]): number =>
    Date.parse(names.map((name) => url.searchParams.get(name)).find(Boolean) ?? '')
  const from = dateAt('createdFrom', 'updatedFrom', 'from')
  const to = dateAt('createdTo', 'updatedTo', 'to')
  return Number.isNaN(from)
    ? undefined
    : ((Number.isNaN(to) ? exchange.startedAt : to) - from) / dayMs
}

/** Calls keep to a figure that our manifest declares. */
const callsKeep = (
  name: Limit,
  figureOf: (call: Observed, trace: Trace) => number | undefined,
): Assertion =>
  function* (trace) {
    for (const call of customerCalls(trace)) {
      const limit = declaredTo(trace, call, name)
      const figure = figureOf(call, trace)
      if (typeof limit === 'number' && figure !== undefined)
        yield observation(
          [call],
          figure > limit * 1.001 &&
            `its ${call.operation} has ${Math.round(figure * 10) / 10}, more than ${name} ${limit}`,
        )
    }
  }

/** Calls of Customer to the same host in the second that begins with this one. */
const inOneSecond = (call: Observed, trace: Trace): number =>
  customerCalls(trace).filter(
    ({ exchange }) =>
      exchange.to.role === call.exchange.to.role &&
      exchange.startedAt >= call.exchange.startedAt &&
      exchange.startedAt < call.exchange.startedAt + 1000,
  ).length

const isPost = ({ exchange }: Observed): boolean => exchange.request.method === 'POST'

const noBatchWhereForbidden: Assertion = function* (trace) {
  for (const call of customerCalls(trace).filter(isPost))
    if (declaredTo(trace, call, 'supportsBatchPost') === false)
      yield observation(
        [call],
        recordCountIn(call.request) > 1 &&
          `its ${call.operation} is a batch, although supportsBatchPost is false`,
      )
}

const ownFigure = (name: Limit): Assertion => eachBlock('customer', optional(`/${name}`, isInteger))

const limitCheck = (clause: string, name: Limit, calls: Assertion, remedy: string): Check => ({
  clauses: [clause],
  roles: limitRoles,
  needs: ['customer'],
  procedures: ['introduction', 'activity'],
  assertion: every(ownFigure(name), calls),
  remedy,
})

const flags = ['supported', 'supportsBatchGet', 'supportsBatchPost'] as const

export const limitChecks = defineChecks({}, [
  limitCheck(
    'LIM-CUS-01',
    'maxBatchSize',
    callsKeep('maxBatchSize', (call) => (isPost(call) ? recordCountIn(call.request) : undefined)),
    'Declare maxBatchSize as a whole number, and send no more records at once than your partner declares.',
  ),
  limitCheck(
    'LIM-CUS-02',
    'maxGetPeriodDays',
    callsKeep('maxGetPeriodDays', daysAsked),
    'Declare maxGetPeriodDays as a whole number, and ask for no longer period than your partner declares.',
  ),
  limitCheck(
    'LIM-CUS-03',
    'requestsPerSecond',
    callsKeep('requestsPerSecond', inOneSecond),
    'Declare requestsPerSecond as a whole number, and stay below the rate that your partner declares.',
  ),
  {
    clauses: ['LIM-CUS-04'],
    roles: limitRoles,
    needs: ['customer'],
    procedures: ['introduction', 'activity'],
    assertion: every(
      eachBlock('customer', (block) =>
        flags.map((flag) => optional(`/${flag}`, isBoolean)(block)).find(Boolean),
      ),
      noBatchWhereForbidden,
    ),
    remedy:
      'Declare supported, supportsBatchGet and supportsBatchPost as true or false, and send no batch where your partner has none.',
  },
  {
    clauses: ['LIM-UND-01'],
    roles: limitRoles,
    needs: ['customer'],
    procedures: ['limits'],
    assertion: each(
      where(atSteps('limits/batch', 'limits/period'), ({ status }) => status >= 300),
      (observed, trace) =>
        observed.status >= 500
          ? `it answers ${observed.status} to a request above its limits`
          : hasErrorBody(observed, trace),
    ),
    remedy: 'Answer what exceeds a limit with 4xx and the error object.',
  },
])
