/** Messages that are written by hand, with what a session says of them by the live parts of the checks. */
import type { OperationId } from '../../src/core/protocol/catalogue.ts'
import type { Role } from '../../src/core/protocol/role.ts'
import { checks } from '../../src/core/rules/checks/catalogue.ts'
import { ClauseJudge } from '../../src/core/rules/checks/clause-judge.ts'
import { isViolation } from '../../src/core/rules/invariants/verdict.ts'
import { endOf, type Exchange } from '../../src/core/traffic/exchange.ts'

export interface Message {
  readonly operation: OperationId
  /** Who calls; the host when the service is called. */
  readonly by?: 'service' | 'partner'
  readonly orderId?: string
  readonly params?: Readonly<Record<string, string>>
  readonly status?: number
  readonly request?: unknown
  readonly reply?: unknown
  readonly fault?: string
  /** Seconds of session time since the message before; 1 by default. */
  readonly after?: number
  readonly tookMs?: number
}

const bodyOf = (value: unknown) => (value === undefined ? {} : { body: JSON.stringify(value) })

export interface Parties {
  readonly service: Role
  readonly partner: Role
}

export function exchangesOf(
  { service, partner }: Parties,
  messages: readonly Message[],
): readonly Exchange[] {
  let now = Date.UTC(2026, 9, 1)
  return messages.map((message, index) => {
    const { operation, by = 'partner', orderId, status = 200, request, reply, fault } = message
    now += (message.after ?? 1) * 1000
    const subject = { role: service, party: 'subject' } as const
    const other = { role: partner, party: 'sparring' } as const
    const ids = orderId === undefined ? {} : { orderId }
    return {
      seq: index + 1,
      startedAt: now,
      tookMs: message.tookMs ?? 5,
      ...(by === 'service' ? { from: subject, to: other } : { from: other, to: subject }),
      operation,
      ...ids,
      params: { ...ids, ...message.params },
      ...(fault === undefined ? {} : { fault }),
      request: {
        method: request === undefined ? 'GET' : 'POST',
        url: `http://service/${operation}`,
        headers: [['authorization', 'Bearer a']],
        ...bodyOf(request),
      },
      ...(status === 0 ? {} : { reply: { status, headers: [], ...bodyOf(reply) } }),
    }
  })
}

/** What is said of each clause of an area, in the order of the catalogue; advice begins with `advice`. */
export function judged(
  parties: Parties,
  area: RegExp,
  messages: readonly Message[],
): readonly string[] {
  const bugs: unknown[] = []
  const judge = new ClauseJudge({
    checks,
    role: parties.service,
    speaks: 'v2',
    dialect: undefined,
    onBug: (error) => void bugs.push(error),
  })
  const inOrderOfEnd = exchangesOf(parties, messages).toSorted((a, b) => endOf(a) - endOf(b))
  for (const exchange of inOrderOfEnd) judge.exchange(exchange, { began: exchange.startedAt })
  const verdicts = judge.verdicts().filter(({ id }) => area.test(id))
  if (bugs.length > 0) throw bugs[0]
  return verdicts.flatMap(({ id, findings }) =>
    findings.map((finding) => `${isViolation(finding) ? '' : 'advice '}${id}: ${finding.because}`),
  )
}
