/** Which segments of a recorded path are parameters. */
import { expect, test } from 'vitest'
import type { OperationId } from '../../protocol/catalogue.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { pathParameterNames } from './edit-url.ts'

const namesIn = (
  operation: OperationId,
  path: string,
  params?: Readonly<Record<string, string>>,
) => {
  const { params: _, ...rest } = sampleExchange(1)
  const request = { method: 'POST', url: `http://h.example${path}`, headers: [] }
  const exchange = { ...rest, operation, request, ...(params ? { params } : {}) }
  return Object.fromEntries(pathParameterNames(exchange))
}

test('of the paths of an operation the longest that fits tells the parameters', () => {
  expect(namesIn('createPayment', '/v2/accounts/a-1/payments')).toEqual({ 2: 'accountId' })
  expect(namesIn('createPayment', '/v2/accounts/payments')).toEqual({})
  // Both fit.
  expect(namesIn('cancelAccountItem', '/accounts/accounts/items/i-1/cancel')).toEqual({
    1: 'accountId',
    3: 'itemId',
  })
})

test('a path that fits none is told by the values of the parameters', () => {
  const params = { orderId: 'o 1' }
  expect(namesIn('getOrder', '/elsewhere/o%201/now', params)).toEqual({ 1: 'orderId' })
  expect(namesIn('getOrder', '/elsewhere/now', params)).toEqual({})
  expect(namesIn('getOrder', '/elsewhere/now')).toEqual({})
})
