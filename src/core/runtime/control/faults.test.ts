/** Faults, verdicts and explanations over the control API on a real socket, and through the remote session. */
import { expect, test, onTestFinished } from 'vitest'
import type { Verdict } from '../../rules/invariants/verdict.ts'
import type { Explanation, FaultRow } from '../../session-api/session-api.ts'
import { openHarness } from '../../../../test/support/in-process-harness.ts'
import { startControl } from './control.ts'
import { openRemoteSession } from '../control-client/remote-session.ts'

interface Heard<Body> {
  readonly status: number
  readonly location: string | null
  readonly json: Body
}

interface Reply {
  readonly error: { readonly code: string; readonly message: string }
}

async function controlled(options: Parameters<typeof openHarness>[0] = {}) {
  const harness = await openHarness(options)
  const control = await startControl({ session: harness.session, host: '127.0.0.1', port: 0 })
  onTestFinished(async () => harness[Symbol.asyncDispose]())
  onTestFinished(control.close)
  async function call<Body = Reply>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Heard<Body>> {
    const response = await fetch(`${control.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = (text === '' ? undefined : JSON.parse(text)) as Body
    return { status: response.status, location: response.headers.get('location'), json }
  }
  return { duel: harness, call, far: openRemoteSession({ url: control.url }) }
}

test('faults are added as an object or as text, listed, removed, and all ended', async () => {
  const { call } = await controlled()
  const added = await call<{ ids: number[]; faults: FaultRow[] }>('POST', '/faults', {
    drop: { event: 'CONFIRMED', nth: 1 },
  })
  expect(added).toMatchObject({
    status: 201,
    location: '/faults/1',
    json: { ids: [1], faults: [{ id: 1, name: 'drop', text: 'drop:event=CONFIRMED,nth=1' }] },
  })
  expect((await call('POST', '/faults', 'duplicate:event=CREATED')).status).toBe(201)
  const list = await call<FaultRow[]>('GET', '/faults')
  expect(list.json.map(({ id, over }) => [id, over])).toEqual([
    [1, undefined],
    [2, undefined],
  ])

  expect(await call('DELETE', '/faults/1')).toMatchObject({ status: 204, json: undefined })
  expect(await call('DELETE', '/faults/1')).toMatchObject({
    status: 404,
    json: { error: { code: 'NOT_FOUND', message: 'no fault 1 is active' } },
  })
  expect((await call('DELETE', '/faults')).status).toBe(204)
  const over = await call<FaultRow[]>('GET', '/faults')
  expect(over.json.map((each) => each.over)).toEqual(['removed', 'ended'])
})

test('an invalid fault is refused with the reason', async () => {
  const { call } = await controlled()
  for (const [body, status, sentence] of [
    [{ dropp: { event: 'CONFIRMED' } }, 422, /dropp/],
    [{ drop: { nth: 0 } }, 422, /nth/],
    ['drop:CONFIRMED', 422, /CONFIRMED/],
    [{ drop: {}, duplicate: {} }, 400, /one name/],
    [7, 400, /the body/],
  ] as const) {
    const answered = await call('POST', '/faults', body)
    expect([body, answered.status]).toEqual([body, status])
    expect(answered.json.error.message).toMatch(sentence)
  }
  expect((await call<FaultRow[]>('GET', '/faults')).json).toEqual([])
  expect((await call('DELETE', '/faults/x')).status).toBe(404)
  expect((await call('PUT', '/faults')).status).toBe(405)
})

test('GET /verdicts filters, POST /judge judges; GET /operator-actions and /explain answer', async () => {
  const { duel: harness, call, far } = await controlled({ channel: 'webhook' })
  await call('POST', '/faults', { drop: { event: 'CONFIRMED' } })
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(60_000)

  const all = await call<Verdict[]>('POST', '/judge')
  expect(all.status).toBe(200)
  const listed = await call<Verdict[]>('GET', '/verdicts')
  expect(listed.json.map(({ id }) => id)).toEqual(all.json.map(({ id }) => id))
  const notExercised = await call<Verdict[]>('GET', '/verdicts?outcome=not-exercised')
  expect(notExercised.json.every(({ outcome }) => outcome === 'not-exercised')).toBe(true)
  const [first] = listed.json
  if (first) {
    const one = await call<Verdict[]>('GET', `/verdicts?id=${first.id.toLowerCase()}`)
    expect(one.json.map(({ id }) => id)).toEqual([first.id])
  }
  expect((await call('GET', '/verdicts?outcome=lost')).status).toBe(400)

  const operatorActions = await call<readonly { what: { kind: string } }[]>(
    'GET',
    '/operator-actions',
  )
  expect(operatorActions.json.slice(0, 2).map(({ what }) => what.kind)).toEqual([
    'command',
    'order',
  ])

  const story = await call<Explanation>('GET', '/explain/o1')
  expect(story.json.orderId).toBe(orderId)
  expect(story.json.lines.some(({ kind }) => kind === 'fault')).toBe(true)
  const seq = story.json.lines.find(({ kind }) => kind === 'call')?.exchanges[0] ?? 0
  expect((await call<Explanation>('GET', `/explain/${seq}`)).json.about.kind).toBe('exchange')
  expect((await call('GET', '/explain/nobody')).json.error.message).toBe(
    'there is no order, account, customer, loyalty account, coupon, event or exchange nobody',
  )

  // The remote session gives the same.
  const view = { explain: 'o1', faults: true, verdicts: true } as const
  expect(await far.look(view)).toEqual(JSON.parse(JSON.stringify(await harness.session.look(view))))
  expect((await far.judge()).map(({ id }) => id)).toEqual(all.json.map(({ id }) => id))
  const refused = await far.submit({ kind: 'fault.add', spec: 'dropp' })
  expect(refused).toEqual(await harness.session.submit({ kind: 'fault.add', spec: 'dropp' }))
})

test('all of these routes are in the OpenAPI document', async () => {
  const { call } = await controlled()
  const { json } = await call<{ paths: Record<string, Record<string, { responses: object }>> }>(
    'GET',
    '/openapi.json',
  )
  expect(Object.keys(json.paths['/faults'] ?? {})).toEqual(['get', 'post', 'delete'])
  expect(Object.keys(json.paths['/faults/{id}'] ?? {})).toEqual(['delete'])
  expect(json.paths['/faults']?.['delete']?.responses).toMatchObject({
    204: { description: 'Nothing.' },
  })
  for (const path of ['/verdicts', '/judge', '/operator-actions', '/explain/{order}'])
    expect(json.paths[path]).toBeDefined()
})

test('DELETE /faults with a query is refused and ends no fault', async () => {
  const { call } = await controlled()
  await call('POST', '/faults', 'drop:event=CONFIRMED')
  await call('POST', '/faults', 'drop:event=CREATED')
  const slip = await call('DELETE', '/faults?id=1')
  expect(slip).toMatchObject({ status: 400, json: { error: { code: 'INVALID_PAYLOAD' } } })
  expect(slip.json.error.message).toContain('"id" is not known')
  const { json } = await call<FaultRow[]>('GET', '/faults')
  expect(json.map(({ over }) => over)).toEqual([undefined, undefined])
  // A health check may carry a cache-busting query.
  expect((await call('GET', '/health?t=1')).status).toBe(200)
})
