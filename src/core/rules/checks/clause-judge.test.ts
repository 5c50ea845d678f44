/** Clauses as a session judges them: by single messages, as they come, and by the same assertions as a certification. */
import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { compact } from '../../base/compact.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { Verdict } from '../invariants/verdict.ts'
import { answersOf, atSteps, each, every, hasStatus, notice, observation } from './assertion.ts'
import type { Role } from '../../protocol/role.ts'
import { checks, clauseRule, sessionChecks } from './catalogue.ts'
import { type Check, ruleOfCheck } from './check.ts'
import { ClauseJudge, clauseRules, liveChecks } from './clause-judge.ts'
import { eachMoment, ofTrace } from './live.ts'
import { isSettled } from './status-life.ts'
import type { HasPassed, Observed } from './trace.ts'

const onBug = (error: unknown): never => {
  throw error
}

/** A read of an order at an Ordering Application. */
const read = (seq: number, status: number, more: Partial<Exchange> = {}): Exchange =>
  sampleExchange(seq, {
    from: { role: 'software-service', party: 'sparring' },
    to: { role: 'ordering-application', party: 'subject' },
    reply: { status, headers: [], body: '{}' },
    ...more,
  })

const check = (assertion: Check['assertion'], more: Partial<Check> = {}): Check => ({
  clauses: ['ORD-GEN-04'],
  roles: ['ordering-application'],
  procedures: ['order-life'],
  assertion,
  remedy: 'Answer 200.',
  ...more,
})

const judgeOf = (of: Check, hasPassed?: HasPassed): ClauseJudge =>
  new ClauseJudge({
    checks: [of],
    role: 'ordering-application',
    speaks: 'v2',
    dialect: undefined,
    ...compact({ hasPassed }),
    onBug,
  })

function judged(of: Check, ...exchanges: readonly Exchange[]): readonly Verdict[] {
  const judge = judgeOf(of)
  for (const exchange of exchanges) judge.exchange(exchange, { began: 1000 * exchange.seq })
  return judge.verdicts()
}

const answers = each(answersOf('getOrder', 'getManifest'), hasStatus(200))

test('a clause that was not kept is one verdict, with its sentence, its remedy and the exchanges', () => {
  const [failed, kept] = judged(check(answers), read(1, 200), read(2, 404), read(3, 404))
  expect(failed).toMatchObject({
    id: 'ORD-GEN-04',
    outcome: 'failed',
    sentence: 'Must answer 200.',
    remedy: 'Answer 200.',
    premises: 3,
    violations: 2,
    findings: [{ because: 'it answered 404, not 200. Seen 2 times.', at: 2000 }],
  })
  expect(failed?.findings[0]?.evidence.map(({ seq }) => seq)).toEqual([2, 3])
  expect(kept).toMatchObject({ id: 'CLAUSES', outcome: 'not-exercised', clauses: [] })
})

test('clauses that were kept are one verdict, which names them', () => {
  expect(judged(check(answers), read(1, 200))).toMatchObject([
    { id: 'CLAUSES', outcome: 'passed', clauses: ['ORD-GEN-04'], premises: 1 },
  ])
})

test.each([
  [
    'a message that a fault of ours has touched',
    [read(1, 404, { fault: 'error on rsp(getOrder)' })],
  ],
  [
    'a message between two of our own roles',
    [read(1, 404, { to: { role: 'ordering-application', party: 'sparring' } })],
  ],
  ['a path that the service does not have', [read(1, 404, { operation: 'getManifest' })]],
  ['another operation', [read(1, 404, { operation: 'pollingEvents' })]],
])('%s blames nobody', (_, exchanges) => {
  expect(judged(check(answers), ...exchanges)).toMatchObject([
    { id: 'CLAUSES', outcome: 'not-exercised' },
  ])
})

test.each([
  ['that is only advised', check(answers, { level: 'SHOULD' })],
  ['that the documents leave open', check(answers, { clauses: ['ORD-UND-04'] })],
  ['that is broken by a notice', check(each(answersOf('getOrder'), () => notice('it may')))],
])('a clause %s by a single message is neither broken nor kept', (_, of) => {
  expect(judged(of, read(1, 404))).toMatchObject([{ id: 'CLAUSES', clauses: [] }])
})

test('what the documents advise about an entity is advice', () => {
  const fold = { begin: () => ({ take: (observed: Observed) => [observed] }) }
  const courtesy = eachMoment(fold, function* (observed) {
    yield observation([observed], notice('it closes an account that is not paid'))
  })
  const [verdict] = judged(check(courtesy), read(1, 200))
  expect(verdict).toMatchObject({ outcome: 'failed', violations: 0, findings: [{ advice: true }] })
})

describe('what a session does not judge', () => {
  test.each([
    ['the steps of a procedure', each(atSteps('order-life/read'), hasStatus(200))],
    ['the whole trace', ofTrace(answers)],
  ])('%s', (_, assertion) => {
    expect(liveChecks([check(assertion)], 'ordering-application')).toEqual([])
  })

  test('what of several assertions is of single messages is judged', () => {
    const both = check(every(each(atSteps('order-life/read'), hasStatus(201)), answers))
    expect(judged(both, read(1, 200))).toMatchObject([{ id: 'CLAUSES', outcome: 'passed' }])
  })
})

test('a fold is fed once with each message, whatever number of clauses asks for it', () => {
  const fed: number[] = []
  const fold = {
    begin: () => {
      let reads = 0
      const take = (observed: Observed) => {
        fed.push(observed.exchange.seq)
        return [{ observed, reads: ++reads }]
      }
      return { take }
    },
  }
  const third = eachMoment(fold, function* ({ observed, reads }) {
    yield observation([observed], reads > 2 && 'it is the third')
  })
  const [failed] = judged(check(every(third, third)), read(1, 200), read(2, 200), read(3, 200))
  expect(fed).toEqual([1, 2, 3])
  expect(failed).toMatchObject({ premises: 6, violations: 2 })
})

/** Whether the first message has settled by each later one. */
const first = eachMoment(
  {
    begin: () => {
      const known: Observed[] = []
      const take = (observed: Observed) => {
        if (!observed.exchange.failure) known.push(observed)
        return known.slice(1).map((by) => ({ since: known[0] ?? by, by }))
      }
      return { take }
    },
  },
  function* ({ since, by }) {
    yield observation([since, by], isSettled(since, by) && 'it has had its time')
  },
)
const violationsIn = (verdicts: readonly Verdict[]): number => verdicts[0]?.violations ?? 0

describe('what must have come by now', () => {
  const at = (seq: number, startedAt: number, more: Partial<Exchange> = {}): Exchange =>
    read(seq, 200, { startedAt, tookMs: 100, ...more })
  const wall = (startedAt: number, speed?: number) => ({
    wall: { startedAt, tookMs: 1, ...compact({ speed }) },
  })

  test('must have come after ten seconds of the session', () => {
    expect(violationsIn(judged(check(first), at(1, 0), at(2, 10_099)))).toBe(0)
    expect(violationsIn(judged(check(first), at(1, 0), at(2, 10_100)))).toBe(1)
  })

  test('where a recording is all that there is, after two seconds of the wall as well', () => {
    const after = (ms: number, speed?: number): number =>
      violationsIn(judged(check(first), at(1, 0, wall(0, speed)), at(2, 90_000, wall(ms, speed))))
    expect(after(1500, 60)).toBe(0)
    expect(after(2001, 60)).toBe(1)
    // On a virtual clock the wall says nothing.
    expect(after(1)).toBe(1)
  })

  test('in a session its clocks decide', () => {
    const asked: (readonly number[])[] = []
    for (const hasPassed of [true, false]) {
      const judge = judgeOf(check(first), (...times) => {
        asked.push(times)
        return hasPassed
      })
      for (const exchange of [at(1, 0), at(2, 90_000)]) judge.exchange(exchange, { began: 0 })
      expect(violationsIn(judge.verdicts())).toBe(hasPassed ? 1 : 0)
    }
    expect(asked[0]).toEqual([100, 90_000, 10_000])
  })

  test.each<[about: string, between: (judge: ClauseJudge) => void]>([
    ['that starts anew', (judge) => judge.beginAnew()],
    [
      'that is not there',
      (judge) =>
        judge.exchange(at(2, 50, { failure: { code: 'ECONNREFUSED', message: 'refused' } }), {
          began: 0,
        }),
    ],
  ])('of a service %s nothing is known any more', (_, between) => {
    const judge = judgeOf(check(first))
    judge.exchange(at(1, 0), { began: 0 })
    between(judge)
    judge.exchange(at(3, 20_000), { began: 0 })
    expect(violationsIn(judge.verdicts())).toBe(0)
  })
})

test('[TRN-STA-09] each role has the sentence and the remedy of its own check', () => {
  const remedyOf = (role: Role) => clauseRule('TRN-STA-09', role)?.remedy
  expect(remedyOf('crm')).toMatch(/^Answer a call or an event that you have accepted before/)
  expect(remedyOf('delivery-platform')).toMatch(/^Answer 422 to a step/)
  expect(
    clauseRules(checks)
      .filter(({ id }) => id === 'TRN-STA-09')
      .map(({ binds, remedy }) => [binds, remedy === remedyOf(binds[0] ?? 'crm')]),
  ).toEqual([
    [['ordering-application', 'software-service', 'crm'], true],
    [['delivery-platform'], true],
  ])
  // ORD-TRA-02 of a POS needs the procedures of a certification: a session has the other one.
  expect(clauseRule('ORD-TRA-02')?.remedy).toMatch(/^Set the order to CONFIRMED/)
  expect(clauseRule('ORD-XXX-01')).toBeUndefined()
})

describe('in V1', () => {
  const judgedV1 = (...exchanges: readonly Exchange[]): readonly Verdict[] => {
    const judge = new ClauseJudge({
      checks: sessionChecks.v1,
      role: 'software-service',
      speaks: 'v1',
      dialect: 'v1',
      onBug,
    })
    for (const exchange of exchanges) judge.exchange(exchange, { began: 0 })
    return judge.verdicts()
  }
  const confirm = (authorization: string | undefined): Exchange =>
    sampleExchange(1, {
      operation: 'confirmOrderV1',
      request: {
        method: 'POST',
        url: 'http://oa.test/v1/orders/o1/confirm',
        headers: authorization === undefined ? [] : [['authorization', authorization]],
      },
      reply: { status: 202, headers: [] },
    })
  const webhook = (body: string): Exchange =>
    sampleExchange(1, {
      from: { role: 'ordering-application', party: 'sparring' },
      to: { role: 'software-service', party: 'subject' },
      operation: 'receiveOrderEventV1',
      request: { method: 'POST', url: 'http://pos.test/v1/newEvent', headers: [], body: '{}' },
      reply: { status: 204, headers: body === '' ? [] : [['content-length', '2']], body },
    })

  test('[TRN-HDR-01, AUT-GEN-01] a call carries a Bearer token', () => {
    expect(judgedV1(confirm(undefined))[0]).toMatchObject({ id: 'TRN-HDR-01', violations: 1 })
    expect(judgedV1(confirm('Bearer abc'))).toMatchObject([
      { id: 'CLAUSES', clauses: ['AUT-GEN-01', 'TRN-HDR-01'] },
    ])
  })

  test('[TRN-STA-03] a 204 has no body', () => {
    expect(judgedV1(webhook('ok'))[0]).toMatchObject({ id: 'TRN-STA-03', violations: 1 })
    expect(judgedV1(webhook(''))).toMatchObject([{ id: 'CLAUSES', clauses: ['TRN-STA-03'] }])
  })
})

test('the rules of clauses name their clause first, and say what must be done in one form', () => {
  const wrong = checks
    .map(ruleOfCheck)
    .filter(({ id, clauses, sentence }) => id !== clauses[0] || !/^Must [a-z].*\.$/.test(sentence))
  expect(wrong.map(({ sentence }) => sentence)).toEqual([])
})
