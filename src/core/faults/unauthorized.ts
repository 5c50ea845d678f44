/**
 * A request is answered 401 although its token is valid (R8). With `revoke` the tokens are really revoked, and only a
 * new one helps.
 */
import { operation } from '../protocol/catalogue.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { onOrOff } from '../protocol/setting.ts'

export const unauthorized = defineFault({
  name: 'unauthorized',
  summary: 'a request is answered 401 although its token is valid',
  code: 'R8',
  meets: ['answer'],
  traits: ['failure', 'client-wide'],
  options: strictObject(() => ({
    revoke: onOrOff(false).describe(
      'all tokens of this client end now; without it the token would do the next time',
    ),
  })),
  vary: (chance) => ({ revoke: chance.oneIn(2) }),
  message({ revoke }, meeting) {
    const { access, webhook } = operation(meeting.operation)
    if (meeting.kind !== 'answer' || access === 'open' || webhook) return undefined
    const { to: host, clientId } = meeting
    return {
      effect: false,
      reply: {
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        error: { code: 'UNAUTHORIZED', message: 'the token is unknown here' },
      },
      ...(revoke && clientId !== undefined
        ? { plans: [{ command: { kind: 'token.revoke', host, clientId }, afterMs: 0 }] }
        : {}),
    }
  },
})
