/** Our counterparts in a certification: what is configured counts, but for what they would do of their own accord. */
import { expect, test } from 'vitest'
import { certificationCounterparts, certifyService } from './certify-service.ts'

test('a store that is configured to be hostile does nothing beside the procedures', () => {
  const { 'software-service': store, 'ordering-application': marketplace } =
    certificationCounterparts('ordering-application', {
      'software-service': { behaviour: 'hostile', pollEvery: '3s' },
      'ordering-application': { behaviour: 'slow' },
    })
  expect(store).toEqual({ behaviour: 'passive', pollEvery: '3s' })
  expect(marketplace).toEqual({ behaviour: 'slow', channel: 'both' })
})

test('neither does a marketplace, whose channel may be configured', () => {
  const { 'ordering-application': marketplace } = certificationCounterparts('software-service', {
    'ordering-application': { behaviour: 'hostile', deliveries: true, channel: 'webhook' },
  })
  expect(marketplace).toEqual({ behaviour: 'passive', deliveries: false, channel: 'webhook' })
})

const misspelt: object = { merchnts: [] }

test.each([
  [{ clauses: ['ZZZ'] }, 'no clause that is checked for a crm begins with "ZZZ"'],
  [{ clauses: ['IND'] }, 'no clause that is checked for a crm begins with "IND"'],
  [{ clauses: ['CUS-GEN-05'], data: misspelt }, 'merchnts'],
])(
  'a request that selects nothing, or has data that is none, is an error: %j',
  async (request, wrong) => {
    const subject = async () => new Response(null, { status: 404 })
    await expect(certifyService({ as: 'crm', subject, request })).rejects.toThrow(wrong)
  },
)

test.each([
  [{}, /as is undefined\. Name one of ordering-application/],
  [{ as: 'kitchen', subject: 'http://127.0.0.1:1' }, /as is "kitchen"/],
  [{ as: 'pos' }, /none is named\. Give its URL, or a function, as subject\./],
])('what cannot be certified is refused: %j', async (options, because) => {
  await expect(certifyService(options as never)).rejects.toThrow(because)
})
