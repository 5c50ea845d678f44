/** An Ordering Application whose deliveries our Delivery Platform refuses. */
import { expect, test } from 'vitest'
import { certifyCounterpart, type Defect } from '../../../../test/support/certified-counterpart.ts'
import { logisticsChecks } from '../../../core/rules/checks/catalogue.ts'

const role = 'ordering-application'
const clauses = ['LOG-CON-04', 'LOG-FLD-04', 'LOG-GEN-05']

/** It sends its merchant as a text: always, or at first. */
const textForMerchant = (isCorrected: boolean): Defect => ({
  about: 'sends its merchant as a text',
  async call(request, forward) {
    const { method, url, headers } = request
    const isCreation = method === 'POST' && new URL(url).pathname.endsWith('/logistics/delivery')
    if (!isCreation) return forward(request)
    const creation: object = JSON.parse(await request.text())
    const send = (more: object) =>
      forward(
        new Request(url, {
          method,
          headers: { ...Object.fromEntries(headers), 'x-request-id': crypto.randomUUID() },
          body: JSON.stringify({ ...creation, ...more }),
        }),
      )
    const refused = await send({ merchant: 'loja-1', origin: undefined })
    return isCorrected ? send({}) : refused
  },
})

const outcomesWith = async (isCorrected: boolean) => {
  const { results } = await certifyCounterpart({
    role,
    checks: logisticsChecks.filter(
      (check) => check.roles.includes(role) && clauses.includes(check.clauses[0]),
    ),
    defect: textForMerchant(isCorrected),
  })
  return results.map(({ clause, outcome, why }) => [clause, outcome, why])
}

test('[LOG-CON-04, LOG-GEN-05] what is refused is no delivery: blamed is why it is refused', async () => {
  const why = 'our platform took no creation of the delivery: it answered 400'
  expect(await outcomesWith(false)).toEqual([
    ['LOG-CON-04', 'skipped', `cancelled-delivery: ${why}`],
    ['LOG-FLD-04', 'failed', undefined],
    ['LOG-GEN-05', 'skipped', `consumed-delivery: ${why}`],
  ])
})

test('[LOG-CON-04, LOG-GEN-05] a creation that is put right makes a delivery', async () => {
  expect(await outcomesWith(true)).toEqual([
    ['LOG-CON-04', 'passed', undefined],
    ['LOG-FLD-04', 'failed', undefined],
    ['LOG-GEN-05', 'passed', undefined],
  ])
})
