/** The screen of a certification without a terminal: procedures, request, matrix and results, keys, small screens. */
import { expect, test } from 'vitest'
import { driveCertification } from '../../../test/support/dashboard/certification-driver.ts'
import type { CheckOutcome } from '../judge/judge-checks.ts'
import { countOutcomes, type ReportedResult } from '../report/report.ts'
import type { CertificationHeading, EndedCertification } from './model.ts'

const heading: CertificationHeading = {
  role: 'ordering-application',
  service: 'http://127.0.0.1:3000',
  procedures: [
    { name: 'order-life', about: 'takes an order of each profile to its end' },
    { name: 'unknown-order', about: 'calls with an id that no order has' },
    { name: 'tokens', about: 'asks for tokens' },
  ],
}

const result = (clause: string, outcome: CheckOutcome, problem?: string): ReportedResult => ({
  clause,
  clauses: [clause],
  level: 'MUST',
  outcome,
  occasions: 1,
  evidence: [],
  problems: problem === undefined ? [] : [{ text: problem, exchanges: [4] }],
  says: `${clause} says this.`,
  places: [],
})

function ended(results: readonly ReportedResult[]): EndedCertification {
  return {
    report: {
      form: 1,
      product: { name: 'sparring', version: '1.0.0' },
      role: heading.role,
      speaks: 'v2',
      service: heading.service,
      capabilities: ['orders'],
      seed: 1,
      startedAt: '2026-01-01T00:00:00.000Z',
      tookMs: 1000,
      procedures: [],
      results,
      counts: countOutcomes(results),
      migration: [],
      leftovers: [],
    },
    linesOf: ({ says, problems }) => [
      says,
      ...problems.flatMap(({ text }) => [text, '  #4 SS > OA GET /orders/1 500']),
      'fix: answer it with 200',
    ],
  }
}

const results = [
  result('AUT-TOK-01', 'passed'),
  result('ORD-OPS-04', 'failed', 'it answers with 500'),
  result('ORD-OPS-05', 'skipped'),
  result('ORD-TRA-02', 'warning', 'it answers late'),
]

test('procedures have their state in words, and skipped ones the reason with its control characters escaped', () => {
  const { send, text } = driveCertification(heading)
  const about = { number: 1, of: 3 }
  send(
    { kind: 'progress', progress: { ...about, procedure: 'order-life', state: 'begins' } },
    { kind: 'exchange' },
    { kind: 'exchange' },
    { kind: 'ticked', tookMs: 65_000 },
  )
  expect(text()).toMatch(/CERTIFY {2}ordering-application at http.*2 exchanges {2}1m05s/)
  expect(text()).toMatch(/Procedures 0 of 3/)
  expect(text()).toMatch(/>. order-life +running +takes an order/)
  send(
    {
      kind: 'progress',
      progress: { ...about, procedure: 'order-life', state: 'skipped', why: 'no\u{1b}[2J' },
    },
    { kind: 'progress', progress: { ...about, procedure: 'unknown-order', state: 'done' } },
  )
  expect(text()).toMatch(/Procedures 2 of 3/)
  expect(text()).toMatch(/order-life +skipped +no\\u001b\[2J/i)
  expect(text()).toMatch(/unknown-order +done/)
  expect(text()).toMatch(/ tokens {18,}asks for tokens/)
})

test('a request covers what is open, its seconds count down, and Enter and s answer it only then', () => {
  const { send, press, text, model, actions } = driveCertification(heading)
  press('enter')
  expect(text()).toContain('enter: no such key here')
  press('?')
  expect(text()).toContain('Keys')
  send({ kind: 'asked', request: { text: 'create an order', untilMs: 120_000 } })
  expect(text()).toMatch(/DO THIS NOW .* 120 seconds left/)
  send({ kind: 'ticked', tookMs: 118_400 })
  expect(text()).toMatch(/DO THIS NOW .* 2 seconds left/)
  press('enter', 's')
  expect(actions).toEqual([
    { kind: 'answer', answer: 'done' },
    { kind: 'answer', answer: 'skipped' },
  ])
  send({ kind: 'asked' })
  expect(model().request).toBeUndefined()
  expect(text()).not.toContain('DO THIS NOW')
})

test('q does not end what runs; ctrl-c stops it once, and leaves then', () => {
  const { press, text, actions } = driveCertification(heading)
  press('q')
  expect(actions).toEqual([])
  expect(text()).toContain('ctrl-c stops it after this procedure')
  press('ctrl-c')
  expect(text()).toContain('STOPPING')
  press('ctrl-c', 'q')
  expect(actions).toEqual([{ kind: 'stop' }, { kind: 'leave' }, { kind: 'leave' }])
})

test('at the end: the matrix by area, what failed first, and a result in full', () => {
  const { send, press, text, lines, actions } = driveCertification(heading)
  send({ kind: 'ended', ended: ended(results) })
  expect(text()).toMatch(/FAILED/)
  expect(text()).toMatch(/AUT +1 +\S +\S +\S +\S +ORD +\S +1 +1 +1/)
  const list = lines().filter((line) => /^.(fail|warn|skip|pass) /.test(line))
  expect(list.map((line) => line.trim().split(/ +/).slice(0, 2).join(' '))).toEqual([
    '>fail ORD-OPS-04',
    'warn ORD-TRA-02',
    'skip ORD-OPS-05',
    'pass AUT-TOK-01',
  ])
  expect(list[0]).toContain('it answers with 500')
  press('down', 'enter')
  expect(text()).toContain('ORD-TRA-02  warning  MUST')
  expect(text()).toMatch(/\n {3}#4 SS > OA GET/)
  press('esc', 'home', 'enter')
  expect(text()).toContain('ORD-OPS-04  failed  MUST')
  press('esc', 'q')
  expect(actions).toEqual([{ kind: 'leave' }])
})

test('what differs from a contract stands among the results, and its name in the matrix is whole', () => {
  const { send, press, text } = driveCertification(heading)
  const differs = 'Your answer 200 of getOrder differs from openapi.yaml: body /id is missing.'
  send({ kind: 'ended', ended: ended([...results, result('CONTRACT', 'failed', differs)]) })
  expect(text()).toMatch(/ CONTRACT +\S +1 +\S +\S +\S/)
  expect(text()).toMatch(/fail CONTRACT +Your answer 200 of getOrder differs/)
  press('down', 'enter')
  expect(text()).toContain('CONTRACT  failed  MUST')
  expect(text()).toContain('body /id is missing.')
  expect(text()).toMatch(/\n {3}#4 SS > OA GET/)
})

test.each([
  [30, 6],
  [10, 2],
  [200, 60],
])('%i x %i cells are filled, and no more', (columns, rows) => {
  const { send, lines } = driveCertification(heading, columns, rows)
  const full = (): void => {
    expect(lines().length).toBeLessThanOrEqual(rows)
    for (const line of lines()) expect(line.length).toBeLessThanOrEqual(columns)
  }
  full()
  send({ kind: 'asked', request: { text: 'create a DELIVERY order', untilMs: 9 } })
  full()
  send({ kind: 'ended', ended: ended(results) })
  full()
})
