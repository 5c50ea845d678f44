// @module-tag slow
/** A service that speaks a dialect is judged in its form: ours passes, one that speaks the documents’ own fails there. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certifyCounterpart } from '../../../test/support/certified-counterpart.ts'
import { type Role, roles } from '../../core/protocol/role.ts'
import { type Exchange, hasSucceeded } from '../../core/traffic/exchange.ts'
import { readContract } from '../../core/runtime/files/contract-files.ts'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { contractResult } from '../session/contract-result.ts'
import { redactedTrace } from '../cli/run-certify.ts'
import { checks } from '../../core/rules/checks/catalogue.ts'
import { procedures } from './catalogue.ts'
import type { Certification } from './certify.ts'
import { type CheckResult, judgeTrace } from './judge-checks.ts'
import { createTrace } from '../../core/rules/checks/trace.ts'

const dialect = 'opendelivery-v2'
const folder = mkdtempSync(join(tmpdir(), 'sparring-dialects-'))
afterAll(() => rmSync(folder, { recursive: true }))

const failedIn = (results: readonly CheckResult[]): readonly string[] =>
  results
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
    .map(({ clause, problems }) => `${clause}: ${problems[0]?.text}`)

const checksOf = (role: Role) => checks.filter((check) => check.roles.includes(role))
const recordingOf = (role: Role): string => join(folder, `${role}.rec.ndjson`)

const certified = new Map<Role, Promise<Certification>>()
/** Each role is certified once. */
function certificationOf(role: Role): Promise<Certification> {
  const options = { role, checks: checksOf(role), dialect, recording: recordingOf(role) } as const
  const found = certified.get(role) ?? certifyCounterpart(options)
  certified.set(role, found)
  return found
}

interface ChangedTraffic {
  /** Those of which something is said: the checks that have one of them judge. */
  readonly clauses: readonly string[]
  readonly change?: (exchange: Exchange) => Exchange
  readonly trace?: Partial<Certification['trace']>
}

/** What fails when the traffic of a role is changed. */
async function failedWith(
  role: Role,
  { clauses, change = (each) => each, trace: other }: ChangedTraffic,
): Promise<readonly string[]> {
  const { trace } = await certificationOf(role)
  const changed = createTrace({ ...trace, ...other, exchanges: trace.exchanges.map(change) })
  const asked = checksOf(role).filter((check) =>
    check.clauses.some((each) => clauses.includes(each)),
  )
  return failedIn(judgeTrace(changed, { checks: asked, procedures, unchecked: [] }))
}

describe.each(roles)('our %s', (role) => {
  const ofRole = checksOf(role)

  test('fails no clause, and passes most, also by its redacted recording', async () => {
    const { trace, results } = await certificationOf(role)
    expect(failedIn(results)).toEqual([])
    const passed = results.filter(({ outcome }) => outcome === 'passed')
    expect(passed.length).toBeGreaterThan(ofRole.length * 0.75)
    const read = await readRecording(recordingOf(role))
    if (!read.ok) throw new Error(read.error)
    const redacted = createTrace(redactedTrace(trace, read.value))
    const again = judgeTrace(redacted, { checks: ofRole, procedures, unchecked: [] })
    expect(failedIn(again)).toEqual([])
  }, 180_000)

  /** What the service answers, with another status or another body. */
  const answering =
    (change: (text: string, exchange: Exchange) => { status?: number; body?: string }) =>
    (exchange: Exchange): Exchange =>
      exchange.to.party === 'subject' && exchange.reply?.body
        ? { ...exchange, reply: { ...exchange.reply, ...change(exchange.reply.body, exchange) } }
        : { ...exchange }

  test('[TRN-ERB-02] fails with the wrapped errors of the documents', async () => {
    const change = answering((text, { reply, operation }) => {
      if (!reply || reply.status < 400 || operation === 'getManifest') return {}
      const { code, title, message, detail } = JSON.parse(text) as Record<string, string>
      const error = { code: code ?? title, message: message ?? detail, retryable: false }
      return { body: JSON.stringify({ error }) }
    })
    const failed = await failedWith(role, { clauses: ['TRN-ERB-02'], change })
    expect(failed).toContainEqual(expect.stringMatching(/^TRN-ERB-02: .*/))
  })

  test('[DIS-FLD-01] fails with the members of a manifest by their names in the documents', async () => {
    const change = answering((text, { operation }) =>
      operation === 'getManifest'
        ? {
            body: text
              .replace('"appId"', '"participantId"')
              .replace('"openDelivery"', '"protocol"'),
          }
        : {},
    )
    const clauses = ['DIS-FLD-01', 'MIG-VER-01', 'DIS-FLD-10']
    const failed = await failedWith(role, { clauses, change })
    expect(failed).toContain(
      'DIS-FLD-01: its manifest has no participantId (in opendelivery-v2: participantId is appId)',
    )
    expect(failed.join('\n')).toMatch(/MIG-VER-01|DIS-FLD-10/)
  })

  test('is judged as failing in the documents’ form, which it does not speak', async () => {
    const trace = { dialect: undefined }
    const failed = await failedWith(role, { clauses: ['DIS-FLD-01'], trace })
    expect(failed.join('\n')).toContain('DIS-FLD-01: its manifest has no participantId')
  })
})

test('[CUS-EVO-01] an event by its name in the documents fails, where the dialect has another', async () => {
  const change = (each: Exchange): Exchange => {
    const { body, ...request } = each.request
    const renamed = body?.replace('"order.cancelled"', '"order.canceled"')
    return { ...each, request: { ...request, ...(renamed !== undefined && { body: renamed }) } }
  }
  expect(await failedWith('crm', { clauses: ['CUS-EVO-01'], change })).toContainEqual(
    expect.stringContaining('CUS-EVO-01: it emits an event of type order.canceled (the documents’'),
  )
})

test('[LOG-OPS-04] a platform that answers 202 where the dialect has 200 fails, and the sentence says both', async () => {
  const change = (each: Exchange): Exchange =>
    each.operation === 'setDeliveryReadyForPickup' && each.reply?.status === 200
      ? { ...each, reply: { ...each.reply, status: 202 } }
      : { ...each }
  const failed = await failedWith('delivery-platform', { clauses: ['LOG-OPS-04'], change })
  expect(failed).toContain('LOG-OPS-04: it answered 202, not 200')
})

/** What the public documents of the dialect state: requests and answers of our hosts and clients keep to it. */
const documents = [
  ['logistics', 'delivery-platform'],
  ['orders', 'ordering-application'],
  ['service', 'software-service'],
  ['customer', 'crm'],
] as const
const contractsOfAll = Promise.all(
  documents.map(([name, role]) => {
    const file = `../../../test/support/contracts/opendelivery-v2-${name}.json`
    return readContract({ file: join(import.meta.dirname, file), role })
  }),
)

describe.each(roles)('the public documents, and our %s', (role) => {
  const goodExchanges = async (): Promise<readonly Exchange[]> =>
    (await certificationOf(role)).trace.exchanges.filter(({ reply }) => hasSucceeded(reply))

  const differencesOf = async (exchanges: readonly Exchange[]) => {
    const { trace, results } = await certificationOf(role)
    const result = await contractResult(await contractsOfAll, {
      trace: { ...trace, exchanges },
      service: 'http://x',
      results,
    })
    const problems = result.problems.filter(({ text }) => !text.includes('is none of the contract'))
    return { occasions: result.occasions, texts: problems.map(({ text }) => text) }
  }

  test('no good request and no good answer differs', async () => {
    const { occasions, texts } = await differencesOf(await goodExchanges())
    expect(texts).toEqual([])
    expect(occasions).toBeGreaterThan(50)
  }, 180_000)

  test('each member that a document requires is missed', async () => {
    const members = {
      'delivery-platform': ['orderDisplayId', 'isDeliveryFinished', 'resolved', 'updateMethod'],
      'ordering-application': ['totalOrderPrice', 'totalWeight', 'payments', 'country', 'number'],
      'software-service': ['totalOrderPrice', 'payments', 'appId', 'grant_type'],
      crm: ['appId', 'identifier', 'grant_type'],
    }[role]
    const good = await goodExchanges()
    const missed = await Promise.all(
      members.map(async (member) => {
        const renamed = <Message extends { readonly body?: string }>(message: Message): Message =>
          message.body?.includes(`"${member}":`)
            ? { ...message, body: message.body.replaceAll(`"${member}":`, '"renamed":') }
            : message
        // Only what has the member: of everything else the test above says that it does not differ.
        const changed = good.flatMap((each) => {
          const request = renamed(each.request)
          const reply = each.reply && renamed(each.reply)
          return request === each.request && reply === each.reply
            ? []
            : [{ ...each, request, ...(reply && { reply }) }]
        })
        const { texts } = await differencesOf(changed)
        return texts.some((text) => text.includes(`/${member} is missing`)) ? [member] : []
      }),
    )
    expect(missed.flat()).toEqual(members)
  })
})
