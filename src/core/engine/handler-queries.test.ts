/** The query parameters and headers that handlers read, against those that the rows of operations declare. */
import { expect, test } from 'vitest'
import { Configuration } from '../session-api/configuration/schema.ts'
import { type CatalogueRow, operations } from '../protocol/catalogue.ts'
import { engineSettings } from '../session/settings.ts'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { noon } from '../../../test/support/transcript.ts'
import { SessionEngine } from './engine.ts'
import type { HandlerInput } from './handler.ts'
import { handlerOf } from './handlers.ts'

const configuration = Configuration.parse({ conduct: { speaks: 'v1' } })

const engine = new SessionEngine({
  seed: 5,
  settings: engineSettings(configuration, ['ordering-application'], []),
  reactors: [],
  origin: noon,
})
engine.submit({ kind: 'order.create', order: plainOrder('x') })

/** What the handler of an operation asks the request for; its outcome does not matter. */
function readBy({ handler: behind, hosts }: CatalogueRow) {
  const queries = new Set<string>()
  const headers = new Set<string>()
  const input: HandlerInput = {
    host: hosts[0] ?? 'crm',
    origin: 'http://127.0.0.1:1',
    base: 'http://127.0.0.1:1',
    params: { orderId: 'x', id: 'x', customerId: 'x', accountId: 'x', itemId: 'x' },
    query: (name) => {
      queries.add(name)
      return []
    },
    header: (name) => {
      headers.add(name)
      return undefined
    },
    body: {},
    world: engine.world,
    settings: engine.settings,
    now: engine.now(),
    served: [],
  }
  const handler = handlerOf(behind.name)
  try {
    if (handler.kind === 'view') handler.view(input)
    else handler.command(input)
  } catch (error) {
    // A body without its fields: the query was read before, or is not read at all.
    if (!(error instanceof TypeError)) throw error
  }
  return { queries: [...queries], headers: [...headers] }
}

const declared = ({ query, headers }: CatalogueRow) => ({
  queries: Object.keys(query?.().shape ?? {}),
  headers: Object.keys(headers?.().shape ?? {}).map((name) => name.toLowerCase()),
})

test('every query parameter and header that a handler reads is declared by the row of its operation', () => {
  const undeclared = operations.flatMap((row) => {
    const read = readBy(row)
    const { queries, headers } = declared(row)
    return [
      ...read.queries.filter((name) => !queries.includes(name)),
      ...read.headers.filter((name) => !headers.includes(name)),
    ].map((name) => `${row.id}: ${name}`)
  })
  expect(undeclared).toEqual([])
})

test('every query parameter and header of a row is read by its handler; some only where there is a record to filter', () => {
  const unread = operations.flatMap((row) => {
    const read = readBy(row)
    const { queries, headers } = declared(row)
    return [
      ...queries.filter((name) => !read.queries.includes(name)),
      ...headers.filter((name) => !read.headers.includes(name)),
    ].map((name) => `${row.id}: ${name}`)
  })
  expect(unread).toEqual([
    'authorize: response_type',
    'authorize: state',
    'listLoyaltyPrograms: merchantId',
    'listCustomerLoyaltyAccounts: programId',
    'listLoyaltyTransactions: page',
    'listLoyaltyTransactions: pageSize',
    'listLoyaltyTransactions: createdFrom',
    'listLoyaltyTransactions: createdTo',
    'listLoyaltyTransactions: from',
    'listLoyaltyTransactions: to',
    'listLoyaltyRewards: programId',
    'listLoyaltyCoupons: programId',
    'listLoyaltyCoupons: merchantId',
  ])
})
