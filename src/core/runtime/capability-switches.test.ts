/**
 * Capability switches: a capability that is off is neither declared, nor served, nor called; and dependencies between
 * capabilities.
 */
import { describe, expect, test } from 'vitest'
import { Configuration } from '../session-api/configuration/schema.ts'
import {
  pathsAtHost,
  type FeatureSwitch,
  featureSwitches,
  featureSwitchOf,
} from '../protocol/operation.ts'
import { operationsHostedBy } from '../protocol/catalogue.ts'
import { roles } from '../protocol/role.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

const quick = { listen: false, clock: 'virtual', automatic: false } as const

interface Declared {
  readonly capabilities: readonly {
    readonly name: string
    readonly operations: readonly string[]
  }[]
}

async function manifests(options: SessionOptions) {
  await using session = await openSession({ ...quick, ...options })
  const said = new Map<string, Declared>()
  for (const [role, url] of session.urls) {
    const answer = await session.fetch(new Request(`${url}/.well-known/protocol`))
    said.set(role, (await answer.json()) as Declared)
  }
  return said
}

const names = ({ capabilities }: Declared) => capabilities.map(({ name }) => name)

test('[ORD-GEN-08] Logistics and Customer run without Orders; Indoor does not', async () => {
  const capabilities = { orders: false, indoor: false }
  const said = await manifests({ capabilities })
  expect([...said.values()].flatMap(names)).not.toContain('orders')
  expect(names(said.get('delivery-platform')!)).toEqual(['logistics'])
  expect(names(said.get('crm')!)).toEqual(['customer'])

  await using session = await openSession({ ...quick, capabilities })
  await session.advance(60_000)
  const base = session.urls.get('ordering-application') ?? ''
  expect((await session.fetch(new Request(`${base}/events:polling`))).status).toBe(404)
  const { traffic } = await session.look({ traffic: { limit: 1000 } })
  const called = traffic.flatMap(({ operation = '' }) => operation)
  expect(called).toContain('getManifest')
  expect(called).not.toContain('pollingEvents')

  const refused = Configuration.safeParse({ capabilities: { orders: false } })
  expect(refused.error?.issues[0]).toMatchObject({ path: ['capabilities', 'indoor'] })
  await expect(openSession({ ...quick, capabilities: { orders: false } })).rejects.toThrow(
    /Indoor needs Orders/,
  )
})

test('[ORD-GEN-06] the Delivery Platform sends facts, calls no order progression, and changes no order status', async () => {
  await using session = await openSession({
    ...quick,
    only: ['ordering-application', 'delivery-platform'],
  })
  const made = await session.createOrder({ type: 'DELIVERY' })
  const orderId = made.ok ? made.value.orderId : ''
  const submit = (trigger: 'confirm' | 'preparing' | 'ready-for-pickup') =>
    session.submit({ kind: 'order.apply', orderId, trigger })
  for (const trigger of ['confirm', 'preparing', 'ready-for-pickup'] as const) {
    await submit(trigger)
    await session.advance(2000)
  }
  await session.settle()
  const { entity } = await session.look({ entity: { kind: 'delivery', id: orderId } })
  expect(entity?.row.status).toBe('DELIVERED')
  const { order } = await session.look({ orderId })
  expect(order?.row.status).toBe('READY')
  const { traffic } = await session.look({ traffic: { limit: 1000 } })
  const fromPlatform = traffic.filter(({ from }) => from === 'delivery-platform')
  expect(fromPlatform.map(({ operation }) => operation)).toContain('receiveDeliveryEvent')
  expect(fromPlatform.filter(({ path }) => /\/orders\//.test(path))).toEqual([])
})

describe('switched off', () => {
  const parts: readonly FeatureSwitch[] = featureSwitches.filter((each) => each !== 'orders')
  test.each(parts)('%s: no role serves or declares any of it', async (part) => {
    const capabilities = { [part]: false }
    const said = await manifests({ capabilities })
    const gone = new Set(
      roles
        .flatMap(operationsHostedBy)
        .filter((row) => featureSwitchOf(row) === part)
        .map(({ id, declaredAs }) => declaredAs ?? id),
    )
    expect(gone.size).toBeGreaterThan(2)
    for (const [role, { capabilities: declared }] of said) {
      const operations = declared.flatMap((each) => each.operations)
      expect([role, operations.filter((name) => gone.has(name))]).toEqual([role, []])
    }
    await using session = await openSession({ ...quick, capabilities })
    for (const [role, url] of session.urls)
      for (const row of operationsHostedBy(role).filter((each) => featureSwitchOf(each) === part))
        for (const path of pathsAtHost(row, role)) {
          const place = `${url}${path.replaceAll(/\{\w+\}/g, 'x')}`
          const answer = await session.fetch(new Request(place, { method: row.method }))
          expect([row.id, role, answer.status]).toEqual([row.id, role, 404])
        }
  })
})
