/** Procedures with a service as a client whose calls fail: 503, 500, 429, and a token that ends early. */
import { isWebhookOperation, type OperationId } from '../../../core/protocol/catalogue.ts'
import { roles, type Role } from '../../../core/protocol/role.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { byHost, tokenFields } from '../../../core/rules/checks/transport/tokens.ts'
import { isAcceptedCall } from '../../../core/rules/checks/assertion.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { createStimulus, mutatingCallsOf } from './activity.ts'
import { attemptsAfter } from '../../../core/rules/checks/transport/client-retries.ts'

/** How long a service may take to make a failed call again. */
const retryMs = 60_000
/** How long one may take to make a call that has made none before. */
const firstCallMs = 10_000
/** How long further calls may take. */
const furtherMs = 15_000

/** Lets calls of the service fail, and waits until one of them has been made again with success. */
async function untilRetried(
  context: ProcedureContext,
  /** How they fail. */
  status: number,
  /** How many calls; for those after the first one it waits no longer than for a next call. */
  count = 1,
): Promise<void> {
  context.note('begins', 'calls fail from here on')
  const stimulate = createStimulus(context)
  await stimulate()
  if (context.role === 'ordering-application') await stimulate()
  const isDone =
    (wanted = 1) =>
    (): boolean => {
      const calls = context.observed().filter(({ isCall }) => isCall)
      const repeated = attemptsAfter(calls, (call) => call.status === status).filter(
        ({ all, next }) => next && all.slice(all.indexOf(next)).some(isAcceptedCall),
      )
      return repeated.length >= wanted
    }
  const calls = mutatingCallsOf(context.role)
  const hasCalled = (observed: readonly Observed[]): boolean =>
    observed.some(({ isCall, operation }) => isCall && calls.some((each) => each === operation))
  const isCaller =
    hasCalled(context.earlier()) ||
    (await context.until(() => hasCalled(context.observed()), { within: firstCallMs }))
  const what = `a call to be made again after ${status === 401 ? '401' : 'it failed'}`
  if (isCaller && (await context.until(isDone(), { within: retryMs, what })) && count > 1)
    await context.until(isDone(count), { within: furtherMs })
  context.note('ends', 'no call fails any more')
}

/** The operations whose calls a fault lets fail: not the one that is needless once the courier has the food. */
const failingCallsOf = (role: Role): OperationId[] =>
  mutatingCallsOf(role).filter((each) => each !== 'setDeliveryReadyForPickup')

const shared = {
  roles,
  actions: ['a DELIVERY order'],
  changes: 'one DELIVERY order, which is confirmed and goes on by itself',
} as const

export const retryProcedures = defineProcedures(shared, {
  unavailable: {
    about: 'answers 503 to the first two attempts of each call that changes something',
    async run(context) {
      context.fault({ fail: { status: 503, operation: failingCallsOf(context.role), burst: 2 } })
      await untilRetried(context, 503, 3)
    },
  },
  'server-error': {
    about: 'answers 500 to a call that changes something',
    async run(context) {
      context.fault({ fail: { status: 500, operation: failingCallsOf(context.role), limit: 1 } })
      await untilRetried(context, 500)
    },
  },
  'rate-limited': {
    about: 'answers 429 with Retry-After to a call that changes something',
    async run(context) {
      const operation = failingCallsOf(context.role)
      context.fault({ 'rate-limit': { by: 2000, operation, limit: 1 } })
      await untilRetried(context, 429)
    },
  },
  'revoked-on-retry': {
    about:
      'answers 503 to a call that changes something, and 401 to the next attempt, since the tokens of the service have ended',
    async run(context) {
      // Webhooks that we refuse are made again by a plan of their own.
      const operation = failingCallsOf(context.role).filter((id) => !isWebhookOperation(id))
      if (operation.length === 0) context.skip('the service makes no call that changes something')
      context.fault({ fail: { status: 503, operation, nth: 1, limit: 1 } })
      context.fault({ unauthorized: { revoke: true, operation, nth: 2, limit: 1 } })
      await untilRetried(context, 503)
    },
  },
  'revoked-token': {
    about: 'ends the tokens of the service before their time, and lets it go on',
    async run(context) {
      const asked = [...context.earlier(), ...context.observed()].filter(
        ({ isCall, operation }) => isCall && operation === 'issueToken',
      )
      if (asked.length === 0) context.skip('the service has asked for no token')
      for (const [host, requests] of byHost(asked)) {
        const [first] = requests
        const clientId = first && tokenFields(first)['client_id']
        if (clientId !== undefined) await context.submit({ kind: 'token.revoke', host, clientId })
      }
      await untilRetried(context, 401)
    },
  },
})
