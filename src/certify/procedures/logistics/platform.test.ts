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
