/** The verbs faults, verdicts and explain, against a session that plays both sides, over its control API. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startControl } from '../../core/runtime/control/control.ts'
import { type InProcessHarness, openHarness } from '../../../test/support/in-process-harness.ts'
import { problemIn, runVerbs } from '../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../test/support/test-io.ts'

let harness: InProcessHarness
let control: Awaited<ReturnType<typeof startControl>>
beforeEach(async () => {
  harness = await openHarness({
    channel: 'webhook',
    delivers: true,
    defects: ['forgets-event-ids'],
  })
  control = await startControl({ session: harness.session, host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await control.close()
  await harness[Symbol.asyncDispose]()
})

async function runVerb(...argv: readonly string[]) {
  const { io, written } = createTestIo({ env: { SPARRING_CONTROL: control.url } })
  const code = await runVerbs(argv, io)
  return { code, ...written() }
}

const problemOf = (...argv: readonly string[]): Promise<string> => problemIn(runVerb(...argv))

test('faults are added in every form, listed with their hit counts, removed and ended', async () => {
  expect(await runVerb('faults')).toEqual({ code: 0, stdout: '', stderr: 'no faults\n' })
  const added = await runVerb(
    'faults',
    'add',
    'duplicate:event=CONFIRMED',
    '{"drop": {"event": "CANCELLED", "for": "5m"}}',
  )
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toBe('1  duplicate:event=CONFIRMED\n2  drop:event=CANCELLED,for=5m\n')
  await harness.order('TAKEOUT')
  await harness.pass(20_000)
  const { stdout } = await runVerb('faults', 'list')
  expect(stdout).toMatch(/^FAULT +WHAT +FIRED +STATE +CONFORMANT +SINCE$/m)
  expect(stdout).toMatch(/^ +1 +duplicate:event=CONFIRMED +1 +active +yes/m)
  expect(stdout).toMatch(/^ +2 +drop:event=CANCELLED,for=5m +0 +active, for 300s +yes/m)
  expect((await runVerb('faults', 'remove', '1')).stdout).toBe('fault 1 disabled\n')
  const again = await runVerb('faults', 'remove', '1')
  expect(again).toMatchObject({
    code: 1,
    stderr: 'sparring: refused: no fault 1 is active (NOT_FOUND)\n',
  })
  expect((await runVerb('faults', 'end')).code).toBe(0)
  const rows = JSON.parse((await runVerb('faults', 'list', '--json')).stdout) as { over: string }[]
  expect(rows.map(({ over }) => over)).toEqual(['removed', 'ended'])
  expect(await problemOf('faults', 'remove', 'one')).toMatch(/"one" is not a fault number/)
  const wrong = await runVerb('faults', 'add', 'dropp:event=CONFIRMED')
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toMatch(/refused: there is no fault "dropp".*drop/)
})

const deduplication =
  'Events are deduplicated by eventId. (2 Orders and Indoor: Events > Orders events)'

test('verdicts prints a failed rule with sentence, clauses and evidence, and exits with 1', async () => {
  const clean = await runVerb('verdicts')
  expect(clean.code).toBe(0)
  expect(clean.stdout).toMatch(/^not exercised: .*SE-1/m)
  const unexercised = await runVerb('verdicts', 'se-1')
  expect(unexercised.code).toBe(0)
  expect(unexercised.stdout).toContain(
    '\nSE-1 not exercised: it is checked when a delivery was created for an order\n',
  )
  expect((await runVerb('verdicts', 'SE-1', '--require-exercised')).code).toBe(1)
  expect((await runVerb('verdicts', '--require-exercised')).code).toBe(1)

  const orderId = await harness.order('DELIVERY')
  await harness.pass(1200)
  const { order } = await harness.session.look({ orderId })
  const { eventId = '' } = order?.events.find(({ eventType }) => eventType === 'CONFIRMED') ?? {}
  const command = { kind: 'event.push', eventId, attempt: 1 } as const
  await harness.session.submit({ kind: 'agenda.plan', command, afterMs: 0 })
  await harness.pass(20_000)

  const { code, stdout } = await runVerb('verdicts')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^SE-1 +failed +\d+ +/m)
  const { sentence, remedy, clauses } =
    (await harness.session.look({ verdicts: true })).verdicts.find(({ id }) => id === 'SE-1') ?? {}
  expect(clauses).toContain('ORD-EVR-03')
  // What it requires, what was seen, what to do, and what its clauses say.
  expect(stdout).toContain(`\n\nSE-1  ${sentence}\n    Duplicate delivery request for o1: `)
  expect(stdout).toContain(`\n    fix: ${remedy}\n    ORD-EVR-03  ${deduplication}\n`)
  expect(stdout).toMatch(/^ {6}#\d+ {2}\d\d:\d\d:\d\d\.\d{3} {2}SS > DP {2}POST \S+ {2}202$/m)
  expect(stdout).toMatch(/^\d+ passed, 1 failed, \d+ not exercised/m)

  const one = await runVerb('verdicts', 'se-1', '--json')
  expect(one.code).toBe(1)
  const source = { document: 2, chapter: 'Events > Orders events' }
  expect(JSON.parse(one.stdout)).toMatchObject([
    {
      id: 'SE-1',
      outcome: 'failed',
      clauseTexts: [
        { id: 'ORD-EVR-03', says: 'Events are deduplicated by eventId.', sources: [source] },
        {},
        {},
      ],
    },
  ])
  expect(await runVerb('verdicts', '--outcome', 'passed', '--probe')).toMatchObject({ code: 0 })
  expect(await problemOf('verdicts', 'one-effect-per-purpse')).toMatch(
    /Did you mean one-effect-per-purpose\?/,
  )
  expect((await runVerb('verdicts', '--outcome', 'lost')).code).toBe(2)

  // explain: by slot, by id prefix, and as JSON.
  const story = await runVerb('explain', 'o1')
  expect(story.code).toBe(0)
  expect(story.stdout).toMatch(/^o1 \(.*\), DELIVERY order \d+ of /)
  expect(story.stdout).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} {4}CONFIRMED reaches your service by webhook #\d+, for the 2nd time/m,
  )
  expect(story.stdout).toMatch(/^SE-1 failed: /m)
  // The rule that it names, and what its clauses say, close the explanation.
  expect(story.stdout).toContain(
    `\n\nSE-1  ${sentence}\n    fix: ${remedy}\n    ORD-EVR-03  ${deduplication}\n`,
  )
  expect((await runVerb('explain', orderId.slice(0, 8))).stdout).toBe(story.stdout)
  expect(JSON.parse((await runVerb('explain', eventId, '--json')).stdout)).toMatchObject({
    about: { kind: 'event', id: eventId },
  })
  expect(await runVerb('explain', 'o9')).toMatchObject({
    code: 1,
    stderr:
      'sparring: refused: there is no order, account, customer, loyalty account, coupon, event or exchange o9 (NOT_FOUND)\n',
  })
})

test('traffic lists exchanges with their numbers, and resend sends one again or says why not', async () => {
  await harness.order('TAKEOUT')
  await harness.pass(20_000)
  const { stdout } = await runVerb('traffic', 'list', '--filter', 'receiveOrderEvent')
  const seq = /^#(\d+) .*OA > SS/m.exec(stdout)?.[1] ?? ''
  expect(stdout).toMatch(/^#\d+ {2}\S+ {2}OA > SS {3}POST \S+ {2}204/m)
  expect(await runVerb('traffic', 'resend', seq)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^sent again as #\d+: 204 in \d+ ms\n$/) as string,
    stderr: '',
  })
  expect(await runVerb('traffic', 'resend', '99999')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('#99999 cannot be sent again') as string,
  })
  expect(await problemOf('traffic', 'resend', 'x')).toContain('"x" is not the number')
})
