/**
 * The part of an explanation about a user's service beside the two sides of the order: the Delivery Platform that carries it, the
 * CRM that counts it, or the Ordering Application that asks them to. Its calls and those it gets are lines of the story; their sum is a conclusion.
 */
import { valueAt } from '../rules/invariants/tracking/exchange-fields.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import { fullRoleName } from '../protocol/role.ts'
import type { StoryLine } from '../session-api/session-api.ts'
import type { OrderEvidence } from './explain-gather.ts'
import { endingText, exchangeNumbers, seqOf } from './explain-words.ts'
import { pluralise } from '../protocol/count-text.ts'

/** What an exchange is called: its operation, or its method for a path that the protocol does not define. */
function callName(observed: ObservedExchange): string {
  const { operation, request } = observed.exchange
  const type = valueAt(observed.requestJson(), 'eventType')
  const event = typeof type === 'string' ? ` with ${type}` : ''
  return `${operation ?? request.method}${event}`
}

export function serviceLines({ withService }: OrderEvidence): readonly StoryLine[] {
  return withService.map((observed) => {
    const { exchange, caller } = observed
    const text =
      caller === 'subject'
        ? `your service calls ${callName(observed)} at the ${fullRoleName[exchange.to.role]}`
        : `the ${fullRoleName[exchange.from.role]} calls ${callName(observed)} at your service`
    return {
      at: observed.began,
      kind: 'call',
      text: `${text} (#${seqOf(observed)}): ${endingText(observed)}`,
      exchanges: [seqOf(observed)],
      ...(observed.ok ? {} : { odd: true as const }),
    }
  })
}

/** What the service had to do with the order; where it is a side of it, with the others. */
export function serviceConclusion(gathered: OrderEvidence): readonly string[] {
  const { subject, host, other, withService } = gathered
  const isSide = subject?.role === host.role || subject?.role === other.role
  if (!subject || (isSide && withService.length === 0)) return []
  const name = `your service, the ${fullRoleName[subject.role]},`
  if (withService.length === 0) return [`${name} has had nothing to do with this order`]
  const failed = withService.filter(({ ok }) => !ok).map(seqOf)
  const own = withService.filter(({ caller }) => caller === 'subject').length
  const count = (calls: number): string => pluralise(calls, 'call')
  return [
    `${name} made ${count(own)} about it${isSide ? ' elsewhere' : ''} and got ${count(withService.length - own)}${failed.length === 0 ? ', none of which failed' : `; ${exchangeNumbers(failed)} failed`}`,
  ]
}
