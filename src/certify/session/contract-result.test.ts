// @module-tag slow
/**
 * Whole certifications of our own counterparts keep to our own documents, also where we call them wrongly on purpose.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certifyCounterpart } from '../../../test/support/certified-counterpart.ts'
import { checks } from '../judge/catalogue.ts'
import { defaultConfiguration } from '../../core/session-api/configuration/defaults.ts'
import type { Contract } from '../../core/rules/contract/contract.ts'
import { readContract } from '../../core/runtime/files/contract-files.ts'
import { roles } from '../../core/protocol/role.ts'
import { contractResult } from './contract-result.ts'
import { openApiOfRole } from '../../core/session/openapi.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-contracts-'))
let contracts: readonly Contract[]

beforeAll(async () => {
  contracts = await Promise.all(
    roles.map((role) => {
      const file = join(folder, `${role}.json`)
      writeFileSync(file, JSON.stringify(openApiOfRole(role, defaultConfiguration())))
      return readContract({ file })
    }),
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(roles)(
  'the traffic with our own %s differs nowhere from the four documents',
  async (role) => {
    const { trace, results } = await certifyCounterpart({ role, checks })
    const result = await contractResult(contracts, { trace, service: 'http://x', results })
    expect(result.problems.map(({ text }) => text)).toEqual([])
    expect(result).toMatchObject({ outcome: 'passed', occasions: trace.exchanges.length })
    expect(result.occasions).toBeGreaterThan(200)
    expect(result.evidence).toHaveLength(5)
  },
  60_000,
)
