// @module-tag slow
/**
 * The good traffic of all four roles in the dialect opendelivery-v2 keeps to what the public documents state: requests and
 * answers of our hosts and clients, held against test/support/contracts.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { certifyCounterpart } from '../../../test/support/certified-counterpart.ts'
import { roles } from '../../core/protocol/role.ts'
import { readContract } from '../../core/runtime/files/contract-files.ts'
import { hasSucceeded } from '../../core/traffic/exchange.ts'
import { checks } from '../judge/catalogue.ts'
import type { Certification } from '../judge/certify.ts'
import { contractResult } from './contract-result.ts'

const folder = join(import.meta.dirname, '../../../test/support/contracts')
const document = (name: string, role: (typeof roles)[number]) =>
  readContract({ file: join(folder, `opendelivery-v2-${name}.json`), role })

const contractsOfAll = Promise.all([
  document('logistics', 'delivery-platform'),
  document('orders', 'ordering-application'),
  document('service', 'software-service'),
  document('customer', 'crm'),
])

describe.each(roles)('%s', (role) => {
  let certified: Promise<Certification> | undefined
  const certification = (): Promise<Certification> =>
    (certified ??= certifyCounterpart({
      role,
      checks: checks.filter((check) => check.roles.includes(role)),
      dialect: 'opendelivery-v2',
    }))

  const differencesOf = async (change: (body: string) => string = (body) => body) => {
    const { trace, results } = await certification()
    const exchanges = trace.exchanges
      .filter(({ reply }) => hasSucceeded(reply))
      .map((each) => ({
        ...each,
        request: {
          ...each.request,
          ...(each.request.body === undefined ? {} : { body: change(each.request.body) }),
        },
        ...(each.reply && {
          reply: {
            ...each.reply,
            ...(each.reply.body === undefined ? {} : { body: change(each.reply.body) }),
          },
        }),
      }))
    const result = await contractResult(await contractsOfAll, {
      trace: { ...trace, exchanges },
      service: 'http://x',
      results,
    })
    expect(result.occasions).toBeGreaterThan(50)
    return result.problems.filter(({ text }) => !text.includes('is none of the contract'))
  }

  test('no good request and no good answer differs', async () => {
    expect((await differencesOf()).map(({ text }) => text)).toEqual([])
  }, 180_000)

  test('each member that a document requires is missed', async () => {
    const members = {
      'delivery-platform': ['orderDisplayId', 'isDeliveryFinished', 'resolved', 'updateMethod'],
      'ordering-application': ['totalOrderPrice', 'totalWeight', 'payments', 'country', 'number'],
      'software-service': ['totalOrderPrice', 'payments', 'appId', 'grant_type'],
      crm: ['appId', 'identifier', 'grant_type'],
    }[role]
    const missed = await Promise.all(
      members.map(async (member) => {
        const problems = await differencesOf((body) =>
          body.replaceAll(`"${member}":`, '"renamed":'),
        )
        return problems.some(({ text }) => text.includes(`/${member} is missing`)) ? [member] : []
      }),
    )
    expect(missed.flat()).toEqual(members)
  })
})
