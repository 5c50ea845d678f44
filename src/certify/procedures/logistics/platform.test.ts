/** A Delivery Platform that does not deliver for every merchant. */
import { expect, test } from 'vitest'
import { certifyCounterpart, type Defect } from '../../../../test/support/certified-counterpart.ts'
import { logisticsChecks } from '../../../core/rules/checks/catalogue.ts'

/** A platform that delivers for one merchant only. */
const oneMerchant: Defect = {
  about: 'refuses deliveries of other merchants',
  async answer(request, forward) {
    const isCreation =
      request.method === 'POST' && new URL(request.url).pathname.endsWith('/logistics/delivery')
    if (!isCreation || (await request.clone().text()).includes('"loja-9"')) return forward(request)
    const error = { code: 'UNKNOWN_MERCHANT', message: 'no contract', retryable: false }
    return Response.json({ error }, { status: 422 })
  },
}

test('what follows from a creation that is refused is skipped without ids, and passes with one', async () => {
  const outcomesWith = async (merchants: readonly string[]) => {
    const { results } = await certifyCounterpart({
      role: 'delivery-platform',
      checks: logisticsChecks,
      defect: oneMerchant,
      prepare: async () => ({ merchants: [...merchants] }),
    })
    return Map.groupBy(results, ({ outcome }) => outcome)
  }
  const without = await outcomesWith([])
  const refused = 'it answers 422 to a delivery of our merchant: give merchants in --data'
  const skipped = without.get('skipped') ?? []
  expect(skipped.filter(({ why }) => !why?.includes(refused))).toEqual([])
  // A creation that is refused remains a violation until a merchant is given.
  expect(without.get('failed')?.map(({ clause }) => clause)).toEqual(['LOG-GEN-03', 'LOG-OPS-02'])
  const input = await outcomesWith(['loja-9'])
  expect([...input.keys()]).toEqual(['passed'])
  expect(skipped.length).toBeGreaterThan(25)
})

/** A platform whose couriers never come. */
const withoutCouriers: Defect = {
  about: 'leaves every delivery PENDING',
  async answer(request, forward) {
    const reply = await forward(request)
    if (request.method !== 'GET' || !request.url.includes('/logistics/delivery/')) return reply
    const text = (await reply.text()).replace(/"status":"\w+"/, '"status":"PENDING"')
    return new Response(text, { status: reply.status, headers: reply.headers })
  },
}

test('[LOG-TRA-02] a wait for a courier says which status it waits for, and for which clauses', async () => {
  const waits: string[] = []
  await certifyCounterpart({
    role: 'delivery-platform',
    checks: logisticsChecks.filter(({ clauses }) => clauses.includes('LOG-TRA-02')),
    defect: withoutCouriers,
    onProgress({ state, why }) {
      if (state === 'waits') waits.push(why ?? '')
    },
  })
  expect(waits[0]).toMatch(
    /^for status ASSIGNED or IN_TRANSIT in a read of the delivery, .*deliveryPerson; .*up to 60 s \(LOG-TRA-02\)$/,
  )
})

/** A platform that takes every report of a problem as one that is solved, and what it then shows. */
const withoutFailure = (shown: string): Defect => ({
  about: `shows a delivery of which a problem was reported as ${shown}`,
  async answer(request, forward) {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/problem')) {
      const text = await request.text()
      const isForGood = text.includes('acidente')
      if (isForGood) reported.add(pathname.split('/').at(-2) ?? '')
      return forward(
        new Request(request.url, {
          method: 'POST',
          headers: request.headers,
          body: text
            .replace('"recoverable":false', '"recoverable":true')
            .replace('RETURN_TO_STORE', 'DELIVER_PRODUCT'),
        }),
      )
    }
    const reply = await forward(request)
    if (!reported.has(pathname.split('/').at(-1) ?? '')) return reply
    const text = (await reply.text()).replace(/"status":"IN_TRANSIT"/, `"status":"${shown}"`)
    return new Response(text, { status: reply.status, headers: reply.headers })
  },
})
const reported = new Set<string>()

async function failureOf(
  shown: string,
): Promise<{ why: string | undefined; asked: number; tookMs: number }> {
  let asked = 0
  let tookMs = 0
  const { results } = await certifyCounterpart({
    role: 'delivery-platform',
    checks: logisticsChecks.filter(({ clauses }) => clauses.includes('LOG-TRA-07')),
    defect: withoutFailure(shown),
    refuses({ kind }) {
      if (kind === 'other') asked++
      return false
    },
    onProgress({ procedure, tookMs: ms }) {
      if (procedure === 'delivery-failure') tookMs = ms ?? 0
    },
  })
  return { why: results[0]?.why, asked, tookMs }
}

test('[LOG-TRA-07] the failure of a delivery is asked for at once, or the skip says where the delivery was', async () => {
  const inTime = await failureOf('IN_TRANSIT')
  expect(inTime).toMatchObject({ why: undefined, asked: 1 })
  // Of the session: 15 s would pass until a report without effect is given up.
  expect(inTime.tookMs).toBeLessThan(15_000)
  expect(await failureOf('DELIVERED')).toMatchObject({
    why: 'delivery-failure: the delivery was DELIVERED before it could fail',
    asked: 0,
  })
})

test('[LOG-TEN-01] a cancel in IN_TRANSIT that ends the delivery is a warning, with what else may be done', async () => {
  const { results } = await certifyCounterpart({
    role: 'delivery-platform',
    checks: logisticsChecks.filter(({ clauses }) => clauses.includes('LOG-TEN-01')),
    variant: { conduct: { logistics: { cancelInTransit: 'cancel' } } },
  })
  const [result] = results
  expect(result).toMatchObject({ clause: 'LOG-RUL-02', outcome: 'warning' })
  expect(result?.problems.map(({ text }) => text)).toEqual([
    'it accepted a cancel in IN_TRANSIT, and the delivery is CANCELLED',
  ])
  expect(result?.remedy).toMatch(/^Refuse a cancel in IN_TRANSIT with 422: no row leads /)
})
