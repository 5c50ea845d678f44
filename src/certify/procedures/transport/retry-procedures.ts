/** Procedures with a service as a client whose calls fail: 503, 500, 429, and a token that ends early. */
import { operation as operationOf, type OperationId } from '../../../core/protocol/catalogue.ts'
import { roles } from '../../../core/protocol/role.ts'
import { defineProcedure, type Procedure } from '../../judge/procedure.ts'
import { failingCallsOf, untilRetried } from './retries.ts'
import { byHost, tokenFields } from '../../../core/rules/checks/transport/tokens.ts'

const isWebhook = (id: OperationId): boolean => operationOf(id).webhook !== undefined

const actions = ['a DELIVERY order']
const changes = 'one DELIVERY order, which is confirmed and goes on by itself'

export const unavailable = defineProcedure({
  name: 'unavailable',
  about: 'answers 503 to the first two attempts of each call that changes something',
  roles,
  actions,
  changes,
  async run(context) {
    context.fault({ fail: { status: 503, operation: failingCallsOf(context.role), burst: 2 } })
    await untilRetried(context, 503, 3)
  },
})

export const serverError = defineProcedure({
  name: 'server-error',
  about: 'answers 500 to a call that changes something',
  roles,
  actions,
  changes,
  async run(context) {
    context.fault({ fail: { status: 500, operation: failingCallsOf(context.role), limit: 1 } })
    await untilRetried(context, 500)
  },
})

export const rateLimited = defineProcedure({
  name: 'rate-limited',
  about: 'answers 429 with Retry-After to a call that changes something',
  roles,
  actions,
  changes,
  async run(context) {
    context.fault({ 'rate-limit': { by: 2000, operation: failingCallsOf(context.role), limit: 1 } })
    await untilRetried(context, 429)
  },
})

export const revokedToken = defineProcedure({
  name: 'revoked-token',
  about: 'ends the tokens of the service before their time, and lets it go on',
  roles,
  actions,
  changes,
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
})

export const revokedOnRetry = defineProcedure({
  name: 'revoked-on-retry',
  about:
    'answers 503 to a call that changes something, and 401 to the next attempt, since the tokens of the service have ended',
  roles,
  actions,
  changes,
  async run(context) {
    // Webhooks that we refuse are made again by a plan of their own.
    const operation = failingCallsOf(context.role).filter((id) => !isWebhook(id))
    if (operation.length === 0) context.skip('the service makes no call that changes something')
    context.fault({ fail: { status: 503, operation, nth: 1, limit: 1 } })
    context.fault({ unauthorized: { revoke: true, operation, nth: 2, limit: 1 } })
    await untilRetried(context, 503)
  },
})

export const retryProcedures: readonly Procedure[] = [
  unavailable,
  serverError,
  rateLimited,
  revokedOnRetry,
  revokedToken,
]
