import { expect, test } from 'vitest'
import { sampleExchange, sampleHeader, sampleT0 } from '../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import {
  createExchangeFormatter,
  formatLine,
} from '../../core/traffic/recording/recording-lines.ts'
import { k6Format } from './k6.ts'
import { exportText } from '../../../test/support/round-trip.ts'

const header = sampleHeader()

interface Entry {
  readonly request: {
    readonly url: string
    readonly headers: readonly { readonly name: string; readonly value: string }[]
    readonly postData?: { readonly text: string }
  }
  readonly checks?: readonly object[]
  readonly variables?: readonly object[]
  readonly sleep?: readonly object[]
}

function entriesOf(exchanges: readonly Exchange[], base?: string): readonly Entry[] {
  const lineFor = createExchangeFormatter({ header, t0: sampleT0 })
  const recording = formatLine(header) + exchanges.map((each) => lineFor(each)).join('')
  const text = exportText(k6Format, recording, base === undefined ? {} : { base })
  return (JSON.parse(text) as { log: { entries: readonly Entry[] } }).log.entries
}

const id = '0a1b2c3d-1111-4222-8333-444455556666'
const made = (): readonly Exchange[] => {
  const { operation: _, params: __, orderId: ___, ...bare } = sampleExchange(1)
  const partner = 'https://partner.example'
  return [
    {
      ...bare,
      operation: 'issueToken',
      request: { method: 'POST', url: `${partner}/oauth/token`, headers: [], body: 'a=b' },
      reply: { status: 200, headers: [], body: '{"access_token":"recorded"}' },
    },
    {
      ...bare,
      seq: 2,
      startedAt: sampleT0 + 500,
      operation: 'pollingEvents',
      request: {
        method: 'GET',
        url: `${partner}/events:polling`,
        headers: [['Authorization', 'Bearer recorded']],
      },
      reply: { status: 200, headers: [], body: JSON.stringify([{ eventId: 'e-1', orderId: id }]) },
    },
    {
      ...bare,
      seq: 3,
      startedAt: sampleT0 + 700,
      operation: 'confirmOrder',
      params: { orderId: id },
      request: {
        method: 'POST',
        url: `${partner}/orders/${id}/confirm`,
        headers: [['Authorization', 'Bearer recorded']],
        body: JSON.stringify({ id }),
      },
      reply: { status: 202, headers: [] },
    },
  ]
}

test('each entry checks its status, extracts variables for later entries, and sleeps as recorded', () => {
  const [token, poll, confirm] = entriesOf(made())
  expect(token).toMatchObject({
    checks: [{ type: 0, subject: 2, condition: 2, value: '200' }],
    variables: [{ name: 'TOKEN_1', type: 0, expression: '$.access_token' }],
    sleep: [{ after: expect.any(Number) as number }],
  })
  expect(poll?.variables).toEqual([{ name: 'ORDER_1', type: 0, expression: '$[0].orderId' }])
  expect(confirm?.request.url).toBe('https://partner.example/orders/${ORDER_1}/confirm')
  expect(confirm?.request.postData?.text).toBe('{"id":"${ORDER_1}"}')
  expect(confirm?.request.headers).toEqual([{ name: 'Authorization', value: 'Bearer ${TOKEN_1}' }])
  expect(confirm?.sleep).toBeUndefined()
})

test('--base replaces the recorded origins', () => {
  const [, , confirm] = entriesOf(made(), 'http://127.0.0.1:3000/')
  expect(confirm?.request.url).toBe('http://127.0.0.1:3000/orders/${ORDER_1}/confirm')
})

test('no request takes an id from the answer to one whose bytes are left out', () => {
  const [token, poll, ...rest] = made()
  if (!token || !poll) throw new Error('the recording has changed')
  const picture = { ...poll.request, wire: { base64: '/9j/' } }
  const entries = entriesOf([token, { ...poll, request: picture }, ...rest])
  expect(entries.map(({ request }) => request.url)).toEqual([
    'https://partner.example/oauth/token',
    `https://partner.example/orders/${id}/confirm`,
  ])
})
