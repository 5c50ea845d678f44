/** Which pairs of roles exchange manifests, and how order types are drawn. */
import { describe, expect, test } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { ordersOnly } from '../../../../test/support/orders-only.ts'
import { drawOrderType } from './cast.ts'
import type { SessionOptions } from '../../session/options.ts'
import { openSession } from '../../session/open-session.ts'

describe('profiles', () => {
  const drawn = (mix: Parameters<typeof drawOrderType>[0], seed = 1) => {
    const chance = createChance(seed)
    return Array.from({ length: 1000 }, () => drawOrderType(mix, chance))
  }
  const share = (types: readonly string[], type: string): number =>
    types.filter((each) => each === type).length / types.length

  test('are drawn in proportion to their weights', () => {
    const types = drawn({ DELIVERY: 6, TAKEOUT: 3, INDOOR: 1 })
    expect(share(types, 'DELIVERY')).toBeCloseTo(0.6, 1)
    expect(share(types, 'TAKEOUT')).toBeCloseTo(0.3, 1)
    expect(share(types, 'INDOOR')).toBeCloseTo(0.1, 1)
  })

  test('are never drawn at weight zero; DELIVERY is drawn when all weights are zero', () => {
    expect(new Set(drawn({ TAKEOUT: 2, INDOOR: 0 }))).toEqual(new Set(['TAKEOUT']))
    expect(new Set(drawn({}))).toEqual(new Set(['DELIVERY']))
    expect(new Set(drawn({ INDOOR: 0 }))).toEqual(new Set(['DELIVERY']))
  })

  test('are the same for the same seed', () => {
    const mix = { DELIVERY: 1, TAKEOUT: 1, INDOOR: 1 }
    expect(drawn(mix, 5)).toEqual(drawn(mix, 5))
    expect(drawn(mix, 5)).not.toEqual(drawn(mix, 6))
  })
})

describe('manifest exchange', () => {
  /** The caller and host of every manifest request in the first three seconds of a session. */
  async function met(options: SessionOptions): Promise<readonly string[]> {
    await using session = await openSession({
      clock: 'virtual',
      listen: false,
      capabilities: ordersOnly,
      ...options,
    })
    await session.advance(3000)
    return session
      .facts()
      .flatMap(({ fact }) =>
        fact.kind === 'call.placed' && fact.call.operation === 'getManifest'
          ? [`${fact.call.from} > ${fact.call.to}`]
          : [],
      )
  }
  const store = 'software-service > ordering-application'
  const originator = 'ordering-application > software-service'
  const channel = (name: 'polling' | 'webhook' | 'both') => ({
    counterparts: { 'ordering-application': { channel: name } },
  })

  test('the store always reads the originator’s manifest, the originator reads the store’s only for webhooks', async () => {
    expect(await met(channel('polling'))).toEqual([store])
    expect(await met(channel('webhook'))).toEqual([store, originator])
    expect(await met(channel('both'))).toEqual([store, originator])
  })

  test('no role calls a subject without an address, nor a role that is not played', async () => {
    expect(await met({ ...channel('both'), subject: { role: 'ordering-application' } })).toEqual([])
    expect(await met({ ...channel('both'), subject: { role: 'software-service' } })).toEqual([])
    expect(await met({ ...channel('both'), only: ['software-service'] })).toEqual([])
  })

  test('with every capability each caller reads the manifest of its host, and hosts that send events read the caller’s', async () => {
    const all = await met({ ...channel('polling'), capabilities: {} })
    expect(new Set(all)).toEqual(
      new Set([
        store,
        originator,
        'ordering-application > delivery-platform',
        'delivery-platform > ordering-application',
        'ordering-application > crm',
        'crm > ordering-application',
      ]),
    )
    const indoor = await met({
      ...channel('polling'),
      capabilities: { logistics: false, customer: false },
    })
    expect(indoor).toEqual([store, originator])
  })
})
