/** A CRM without Loyalty: its manifest says so, or it lists no operations. */
import { expect, test } from 'vitest'
import { certifyCounterpart, type Defect } from '../../../../test/support/certified-counterpart.ts'
import { customerChecks } from '../../../core/rules/checks/catalogue.ts'
import type { CheckResult } from '../../judge/judge-checks.ts'

/** It serves no path of Loyalty; its manifest is changed. */
const coreOnly = (manifest: (text: string) => string): Defect => ({
  about: 'has core customer data only',
  async answer(request, forward) {
    const { pathname } = new URL(request.url)
    if (/loyalty/.test(pathname)) {
      const error = { code: 'NOT_FOUND', message: 'not here', retryable: false }
      return Response.json({ error }, { status: 404 })
    }
    const response = await forward(request)
    return pathname.includes('/.well-known/')
      ? new Response(manifest(await response.text()), response)
      : response
  },
})

/** Operations of accounts, which their events are not. */
const loyaltyNames = /"(?:list|get|create)\w*Loyalty\w*",?/g

async function certify(
  defect: Defect,
): Promise<{ why: readonly string[]; failed: readonly string[] }> {
  const only = ['LOY-PRM-01', 'LOY-PRM-02', 'LOY-ACC-01', 'LOY-FLW-01', 'LOY-EVT-08']
  const { results, leftovers } = await certifyCounterpart({
    role: 'crm',
    checks: customerChecks.filter(({ clauses }) => clauses.some((one) => only.includes(one))),
    defect,
  })
  expect(leftovers.join()).not.toContain('loyalty account')
  const having = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome)
  return {
    why: having('skipped').map(({ why = '' }) => why.replace(/^\S+ /, '')),
    failed: having('failed').map(({ clause }) => clause),
  }
}

test('[LOY-PRM-01, LOY-FLW-01] what a manifest does not declare is skipped, and says so', async () => {
  const { why, failed } = await certify(coreOnly((text) => text.replaceAll(loyaltyNames, '')))
  expect(failed).toEqual([])
  expect(new Set(why)).toEqual(new Set(['its manifest declares no Loyalty operation']))
})

test('[LOY-PRM-01] without a list of operations an account is asked for', async () => {
  const noList = (text: string) => text.replaceAll(/"(?:supportedO|o)perations":\[[^\]]*\],?/g, '')
  const { why, failed } = await certify(coreOnly(noList))
  expect(failed).toEqual([])
  expect(why.join()).toContain('it shows no loyalty account of customer')
})
