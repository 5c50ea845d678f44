import { expect, test } from 'vitest'
import { sampleCustomer } from '../../../../test/support/customer-wire.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { isValidDocument } from '../../../core/traffic/redaction/classes/documents.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { Binding } from './bind.ts'
import { correlate } from './correlate.ts'
import { freshContacts } from './customer-contacts.ts'

const us = { role: 'ordering-application', party: 'sparring' } as const
const service = { role: 'crm', party: 'subject' } as const
const headers = [['content-type', 'application/json']] as const
const ours = ({ party }: { party: string }) => party === 'sparring'

const cpf = '52998224725'
const customer = sampleCustomer('c-1', {
  identifier: { type: 'document', value: cpf },
  document: cpf,
  contacts: { phone: '+5511905063604', email: 'ujpcwytkj@example.com' },
})

const sent = (
  operation: NonNullable<Exchange['operation']>,
  path: string,
  body?: unknown,
): Exchange =>
  sampleExchange(1, {
    from: us,
    to: service,
    operation,
    params: {},
    request: {
      method: body === undefined ? 'GET' : 'POST',
      url: `http://crm.test${path}`,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    reply: {
      status: 404,
      headers,
      body: `{"error":{"code":"CUSTOMER_NOT_FOUND","message":"no customer ${cpf}"}}`,
    },
  })

const exchanges = [
  sent('ingestCustomer', '/v1/customer/customers:ingest', { customer }),
  sent('listCustomers', '/customers?email=ujpcwytkj%40example.com'),
].map((each, index) => ({ ...each, recordId: `r${index}` }))

/** The two requests as they are sent in a replay of this seed. */
function replayOf(seed: number) {
  const correlation = correlate(exchanges, { ours })
  const contacts = freshContacts(exchanges, ours, seed)
  const binding = new Binding({ correlation, exchanges, seed, contacts })
  const requests = exchanges.map((each) => {
    const request = binding.request(each, { shiftMs: 0 })
    if (!request.ok) throw new Error(request.error.because)
    return request.value
  })
  const { customer: fresh } = JSON.parse(requests[0]?.body ?? '') as { customer: typeof customer }
  return { binding, contacts, requests, fresh }
}

test('a customer has another document, phone and e-mail in each replay, the same at every place', () => {
  const { fresh, requests } = replayOf(1)
  const document = fresh['document'] as string
  const { email, phone } = fresh['contacts'] as Record<string, string>
  expect(document).not.toBe(cpf)
  expect(isValidDocument(document)).toBe(true)
  expect(fresh['identifier']).toEqual({ type: 'document', value: document })
  expect(phone).toMatch(/^\+551190\d{7}$/)
  expect(phone).not.toBe('+5511905063604')
  expect(email).toMatch(/^u[a-z]{8}@example\.com$/)
  expect(new URL(requests[1]?.url ?? '').searchParams.get('email')).toBe(email)
  expect(replayOf(1).fresh).toEqual(fresh)
  expect(replayOf(2).fresh['document']).not.toBe(document)
})

test('ids of another system are fresh too, but for those that contain the id of the customer', () => {
  const identifier = { type: 'external_id', value: '~con_encctrydog' }
  const externalIds = ['app:customer-100001', '~con_encctrydog', { source: 'pos', key: 'K-42' }]
  const more = { id: 'customer-100001', identifier, externalIds, contacts: {} }
  const known = sent('ingestCustomer', '/', { customer: sampleCustomer('b', more) })
  const found = freshContacts([known], ours, 1)
  expect([...found.keys()].filter((each) => externalIds.includes(each))).toEqual([
    '~con_encctrydog',
  ])
  expect(found.get('K-42')).toMatch(/^K-\d\d$/)
})

test('what the service repeats of them is compared with what was recorded', () => {
  const { binding, contacts, requests } = replayOf(1)
  const [recorded] = exchanges
  const live = { ...recorded!, request: requests[0]! }
  const body = recorded?.reply?.body?.replace(cpf, contacts.get(cpf) ?? '')
  const back = binding.renamed({ ...live, reply: { ...live.reply!, body: body! } }, { shiftMs: 0 })
  expect(back.reply?.body).toBe(recorded?.reply?.body)
  expect(JSON.parse(back.request.body ?? '')).toEqual({ customer })
})

test('those that the service was the first to write stay', () => {
  const theirs = sampleExchange(1, {
    from: service,
    to: us,
    operation: 'ingestCustomer',
    request: { ...sent('ingestCustomer', '/', { customer }).request },
  })
  expect(freshContacts([theirs, ...exchanges], ours, 1)).toEqual(new Map())
})
