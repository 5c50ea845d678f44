/** False positives: each case once made a rule blame a correct service. Next to each is the true violation. */
import { says } from '../../../../../test/support/says.ts'
import { expect, test } from 'vitest'
import { openCustomerWire } from '../../../../../test/support/customer-wire.ts'
import {
  type ScriptedCall,
  createScriptedJudge,
} from '../../../../../test/support/scripted-judge.ts'
import { openOrdersWire } from '../../../../../test/support/wire.ts'

const confirm = (at: number, status: number, more: Partial<ScriptedCall> = {}): ScriptedCall => ({
  at,
  operation: 'confirmOrder',
  order: 'a',
  status,
  ...more,
})

const token = (at: number, name: string, more: Partial<ScriptedCall> = {}): ScriptedCall => ({
  at,
  operation: 'issueToken',
  token: '',
  body: 'grant_type=client_credentials&client_id=subject&client_secret=secret&scope=proto.orders',
  status: 200,
  answer: { access_token: name, expires_in: 3600 },
  ...more,
})

test('[TRN-STA-12] RT-1 does not count overlapping calls as retries of each other', () => {
  const hearing = createScriptedJudge()
  for (let each = 0; each < 6; each++) hearing.call(confirm(each * 10, 503, { took: 500 }))
  expect(hearing.verdict('RT-1')).toMatchObject({ outcome: 'not-exercised', reported: [] })

  const storm = createScriptedJudge()
  for (let each = 0; each < 3; each++) storm.call(confirm(each * 60, 503, { took: 50 }))
  expect(storm.verdict('RT-1').outcome).toBe('failed')
})

test('[TRN-STA-12] RT-1 does not count failed calls about different customers as retries', async () => {
  for (const many of [true, false]) {
    await using wire = await openCustomerWire({
      faults: [{ fail: { operation: 'ingestCustomer' } }],
    })
    for (let each = 0; each < 6; each++) {
      const identifier = many ? `c-${each}` : 'c'
      const { status } = await wire.post('/v1/customer/customers:ingest', {
        identifier,
        name: 'Ana',
      })
      expect(status).toBe(503)
      await wire.pass(300)
    }
    const verdict = (await wire.session.judge()).find(({ id }) => id === 'RT-1')
    expect(verdict?.outcome).toBe(many ? 'not-exercised' : 'failed')
  }
})

test('[IND-OPS-01] RC-1 allows one read of every table, and reports repeated reads of one table', () => {
  const look = (at: number, table: number): ScriptedCall => ({
    at,
    operation: 'getAccount',
    query: `?operationMode=TABLE&identifier=${table}`,
    status: 200,
    answer: { status: 'IN_USE' },
  })
  const round = createScriptedJudge()
  for (let table = 0; table < 20; table++) round.call(look(table * 50, table))
  expect(round.verdict('RC-1')).toMatchObject({ outcome: 'not-exercised', reported: [] })

  const storm = createScriptedJudge()
  for (let each = 0; each < 20; each++) storm.call(look(each * 50, 1))
  expect(storm.verdict('RC-1').outcome).toBe('failed')
})

test('[TRN-STA-12] RT-1 allows two retry chains of one call, each with its own pauses', () => {
  const hearing = createScriptedJudge()
  // Two loops try the same call: at 0, 1, 3, 7 s and at 1.6, 2.6, 4.6, 8.6 s.
  for (const at of [0, 1000, 1600, 2600, 3000, 4600, 7000, 8600]) hearing.call(confirm(at, 503))
  expect(hearing.verdict('RT-1')).toMatchObject({ outcome: 'passed', reported: [] })
})

test('[TRN-STA-12] RT-3 allows occasional retries of a stuck order', () => {
  const hearing = createScriptedJudge()
  for (let round = 0; round < 20; round++)
    for (const at of [0, 1000, 3000, 7000]) hearing.call(confirm(round * 30_000 + at, 503))
  expect(hearing.verdict('RT-3')).toMatchObject({ outcome: 'passed', reported: [] })
  expect(hearing.verdict('RT-2').outcome).toBe('passed')
})

test('[TRN-STA-12] RT-2 allows equal pauses that Retry-After asked for', () => {
  const hearing = createScriptedJudge()
  for (const order of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    for (const at of [0, 2000, 4000, 6000])
      hearing.call(confirm(at, 429, { order, retryAfter: '2' }))
  expect(hearing.verdict('RT-2')).toMatchObject({ outcome: 'not-exercised', reported: [] })
})

test('[TRN-STA-12] RT-2 allows one chain in which jitter hides the growth', () => {
  const hearing = createScriptedJudge()
  for (const at of [0, 900, 1900, 2900]) hearing.call(confirm(at, 503))
  for (const at of [0, 500, 1900, 5200]) hearing.call(confirm(at, 503, { order: 'b' }))
  for (const at of [0, 900, 1900, 2900]) hearing.call(confirm(at, 503, { order: 'c' }))
  for (const at of [0, 900, 1900, 2900]) hearing.call(confirm(at, 503, { order: 'd' }))
  expect(hearing.verdict('RT-2')).toMatchObject({ outcome: 'passed', reported: [] })
})

test('[TRN-STA-10] RT-4 excuses calls in flight when the 429 arrived', () => {
  const hearing = createScriptedJudge()
    .call(confirm(0, 429, { took: 100, retryAfter: '5' }))
    .call(confirm(50, 202, { order: 'b', took: 300 }))
    .call(confirm(400, 202, { order: 'c' }))
    .call(confirm(5110, 202))
  expect(hearing.verdict('RT-4')).toMatchObject({ outcome: 'passed', premises: 1, reported: [] })

  const early = createScriptedJudge()
    .call(confirm(0, 429, { retryAfter: '5' }))
    .call(confirm(400, 202))
  expect(early.verdict('RT-4').reported).toEqual([
    expect.stringMatching(says('confirmOrder of order a', '400 ms after a 429', 'Retry-After: 5')),
  ])
})

test('[TRN-STA-10] RT-4 applies to one operation, and until the date in Retry-After', () => {
  const retryAfter = 'Mon, 05 Jan 2026 15:00:05 GMT'
  const hearing = createScriptedJudge()
    .call(confirm(0, 429, { retryAfter }))
    .call({
      at: 100,
      operation: 'getOrder',
      order: 'a',
      status: 200,
      answer: { status: 'CREATED' },
    })
  expect(hearing.verdict('RT-4')).toMatchObject({ premises: 1, reported: [] })
})

test('[TRN-ERB-01] RT-5 allows a repetition with another body', () => {
  const no = { error: { code: 'INVALID_PAYLOAD', message: 'no', retryable: false } }
  const hearing = createScriptedJudge()
    .call(confirm(0, 422, { answer: no, body: { minutes: -1 } }))
    .call(confirm(500, 202, { body: { minutes: 10 } }))
  expect(hearing.verdict('RT-5')).toMatchObject({ outcome: 'passed', reported: [] })

  const blind = createScriptedJudge()
    .call(confirm(0, 422, { answer: no }))
    .call(confirm(500, 422, { answer: no }))
  expect(blind.verdict('RT-5').outcome).toBe('failed')
})

test('[AUT-TOK-03] TK-1 allows one request per rejection of the latest token, none for older tokens', () => {
  const rejected = (at: number, name: string) => confirm(at, 401, { token: name })
  const hearing = createScriptedJudge()
    .call(token(0, 't1'))
    .call(rejected(1000, 't1'))
    .call(token(1001, 't2'))
    .call(rejected(2000, 't2'))
    .call(token(2001, 't3'))
  expect(hearing.verdict('TK-1')).toMatchObject({ outcome: 'passed', reported: [] })
  // A call sent with t1 is rejected after t3 was issued.
  hearing.call(rejected(2500, 't1')).call(token(4000, 't4')).call(rejected(4500, 't1'))
  expect(hearing.verdict('TK-1').outcome).toBe('passed')
  expect(hearing.call(token(6000, 't5')).verdict('TK-1').outcome).toBe('failed')
})

test('[AUT-TOK-03] TK-1 allows another request after a restart', () => {
  const hearing = createScriptedJudge().call(token(0, 't1')).call(token(30_000, 't2'))
  expect(hearing.verdict('TK-1')).toMatchObject({ outcome: 'passed', reported: [] })
  expect(hearing.call(token(32_000, 't3')).verdict('TK-1').outcome).toBe('failed')
})

test('[AUT-TOK-03] TK-1 allows a repetition of a token request that a fault delayed', () => {
  const hearing = createScriptedJudge()
    .call(token(0, 't1', { took: 15_000, fault: 'token-outage on req(issueToken)' }))
    .call(token(11_000, 't2'))
  expect(hearing.verdict('TK-1')).toMatchObject({ outcome: 'passed', reported: [] })
})

test('[AUT-TOK-03] TK-1 ignores token requests between roles of Sparring', () => {
  const body = 'client_id=sparring-delivery-platform&client_secret=x'
  const hearing = createScriptedJudge()
  for (const at of [0, 10, 20]) hearing.call(token(at, `own${at}`, { body }))
  expect(hearing.verdict('TK-1')).toMatchObject({ outcome: 'not-exercised', reported: [] })
})

test('[AUT-TOK-04] TK-2 clears a token that the host accepts again', () => {
  const hearing = createScriptedJudge().call(token(0, 't1')).call(confirm(1000, 401))
  for (let each = 0; each < 10; each++) hearing.call(confirm(3000 + 1000 * each, 503))
  hearing.call(confirm(20_000, 202))
  expect(hearing.verdict('TK-2')).toMatchObject({ outcome: 'passed', reported: [] })
})

test('[TRN-STA-10] PO-2 tolerates a single early poll', () => {
  const hearing = createScriptedJudge()
  const poll = (at: number) => hearing.call({ at, operation: 'pollingEvents', status: 204 })
  for (const at of [0, 1000, 1300, 2300]) poll(at)
  expect(hearing.verdict('PO-2')).toMatchObject({ outcome: 'passed', reported: [] })
  poll(2600)
  expect(hearing.verdict('PO-2').outcome).toBe('failed')
})

test('[ORD-OPS-01] PO-1 allows a slow regular interval, and the pause of a Retry-After', () => {
  const hearing = createScriptedJudge()
  const poll = (at: number, more: Partial<ScriptedCall> = {}) =>
    hearing.call({ at, operation: 'pollingEvents', status: 204, ...more })
  for (let each = 0; each < 8; each++) poll(each * 30_000)
  poll(240_000, { status: 429, retryAfter: '300' })
  poll(541_000)
  expect(hearing.verdict('PO-1')).toMatchObject({ outcome: 'passed', reported: [] })
  poll(700_000)
  expect(hearing.verdict('PO-1').reported).toEqual([
    expect.stringMatching(says('not poll for 159 s', 'usual pause is 30 s')),
  ])
})

test('[TRN-STA-10] RC-3 counts the reads among the calls in its finding, whatever the last call is', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.drain()
  for (let each = 0; each < 100; each++) await wire.ask(orderId, 'dispatch')
  await wire.read(orderId)
  const verdict = (await wire.session.judge()).find(({ id }) => id === 'RC-3')
  expect(verdict?.findings.map(({ because }) => because)).toEqual([
    expect.stringMatching(says('101 calls about o1', 'GETs: 1')),
  ])
})
