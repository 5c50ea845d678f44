/** Bodies where a document has none, calls beside a document of one capability, and good calls of a certification. */
import { expect, test } from 'vitest'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { createContract } from './contract.ts'
import { ContractJudge, type ContractJudgeOptions } from './contract-judge.ts'

const document = (paths: object) => ({
  openapi: '3.1.0',
  info: { title: 't', version: '1' },
  paths,
})
const taken = { post: { operationId: 'dispatch', responses: { 202: { description: 'taken' } } } }

interface Call {
  readonly from?: Exchange['from']['party']
  readonly path: string
  readonly operation?: OperationId
  readonly body?: string
  readonly status?: number
  readonly reply?: string
}

const exchangeOf = (
  { from = 'subject', path, operation, body, status = 202, reply }: Call,
  seq: number,
): Exchange => ({
  seq,
  startedAt: 0,
  tookMs: 1,
  from: { role: 'software-service', party: from },
  to: { role: 'ordering-application', party: from === 'subject' ? 'sparring' : 'subject' },
  ...(operation ? { operation } : {}),
  request: {
    method: 'POST',
    url: `http://127.0.0.1${path}`,
    headers: [['content-type', 'application/json']],
    ...(body === undefined ? {} : { body }),
  },
  reply: { status, headers: [], ...(reply === undefined ? {} : { body: reply }) },
})

function differences(
  calls: readonly Call[],
  paths: object = { '/orders/{id}/dispatch': taken },
  options: Partial<ContractJudgeOptions> = {},
) {
  const root = 'file:///contract/c.json'
  const value = document(paths)
  const file = { name: 'c.json', bytes: Buffer.from(''), value, lineOf: () => 1 }
  const contract = createContract({ root, files: new Map([[root, file]]) }, 'ordering-application')
  if (!contract.ok) throw new Error(contract.error.wrong)
  const judge = new ContractJudge({
    contracts: [contract.value],
    onBug(error) {
      throw error
    },
    ...options,
  })
  for (const [seq, call] of calls.entries()) judge.exchange(exchangeOf(call, seq), { began: 0 })
  return judge
    .differences()
    .map(({ text, isAdvice, count }) => [
      isAdvice ? 'advice' : 'failure',
      count,
      text.replace(/ \(c\.json.*/, '').replace(/^.*?: /, ''),
    ])
}

const dispatch = { path: '/orders/1/dispatch', operation: 'dispatchOrder' } as const

test.each(['{}', '{"a":1}', '[]'])(
  'a request with the body %s is a failure where the document has none',
  (body) => {
    expect(differences([{ ...dispatch, body }])).toEqual([
      ['failure', 1, 'body is there, and the contract has none'],
    ])
  },
)

test('a request without a body, or with one that is empty, is right there', () => {
  expect(differences([dispatch, { ...dispatch, body: '' }])).toEqual([])
})

test('a body in an answer that has none in the document is advice', () => {
  expect(differences([{ ...dispatch, from: 'sparring', reply: '{}' }])).toEqual([
    ['advice', 1, 'body of the answer 202 is there, and the contract has none'],
  ])
})

const beside: readonly Call[] = [
  { path: '/.well-known/protocol', operation: 'getManifest' },
  { path: '/oauth/token', operation: 'issueToken' },
  { path: '/merchants', operation: 'listMerchants' },
  { path: '/webhooks/delivery', operation: 'receiveDeliveryEvent' },
]

test('discovery, tokens, merchants and webhooks beside a document of one capability are one advice', () => {
  expect(differences(beside)).toEqual([
    [
      'advice',
      4,
      'path /.well-known/protocol, as others of discovery, tokens and webhooks, is none of the contract.',
    ],
  ])
})

test('a webhook that is missing among those of the document is a failure, and so is an operation', () => {
  const found = differences(
    [
      { path: '/webhooks/delivery', operation: 'receiveDeliveryEvent' },
      { path: '/orders/1/confirm', operation: 'confirmOrder' },
    ],
    { '/webhooks/orders': taken },
  )
  expect(found.map(([kind]) => kind)).toEqual(['failure', 'failure'])
})

test('of our calls in a certification those that were taken are reported, those that were refused are not', () => {
  const tried = (status: number) =>
    differences([{ ...dispatch, from: 'sparring', body: '{}', status }], undefined, {
      isProbe: () => true,
    }).filter(([, , text]) => String(text).startsWith('body'))
  expect(tried(202)).toEqual([['advice', 1, 'body is there, and the contract has none']])
  expect(tried(400)).toEqual([])
})
