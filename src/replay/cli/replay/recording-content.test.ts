/** A recording is replayed in the dialect that it was recorded in. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { contentOfExchanges } from '../../../../test/support/self-replay.ts'
import { emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { withRecordedDialect } from './recording-content.ts'

async function dialectOf(change: Partial<Exchange>, configuration = '', flags = {}) {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'sparring.config.yaml'), `seed: 1\n${configuration}`)
  const { io, written } = createTestIo({ cwd })
  const content = contentOfExchanges([sampleExchange(1, change)], [])
  const found: { readonly dialect?: string } = await withRecordedDialect(flags, content, io)
  return [found.dialect, written().stderr]
}

const v1 = { operation: 'confirmOrderV1' } as const

test('V1 is known by its operations, where neither a flag nor the configuration names a dialect', async () => {
  expect(await dialectOf(v1)).toEqual(['v1', ''])
  expect(await dialectOf(v1, 'dialect: 99food\n')).toEqual([undefined, ''])
  expect(await dialectOf(v1, 'conduct: { speaks: v1 }\n')).toEqual([undefined, ''])
  expect(await dialectOf(v1, '', { dialect: '99food' })).toEqual(['99food', ''])
})

test('a path of another dialect is named, and a base path is none', async () => {
  const request = (url: string) => ({ request: { ...sampleExchange(1).request, url } })
  expect(await dialectOf({})).toEqual([undefined, ''])
  expect(await dialectOf(request('http://oa.test/v9/orders/order-1'))).toEqual([undefined, ''])
  expect(await dialectOf(request('http://oa.test/pedido/order-1'))).toEqual([
    undefined,
    'sparring: getOrder was called at /pedido/order-1, which is its path in another dialect: name that with --dialect\n',
  ])
  const webhook = { operation: 'receiveOrderEvent', ...request('http://ss.test/hooks') } as const
  expect(await dialectOf(webhook)).toEqual([undefined, ''])
})
