/** Clients that read none of our manifests: what of it can be known. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../../test/support/sample-exchange.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Role } from '../../../protocol/role.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import { answersAgain, beginsAnew, restarts } from '../blameless.ts'
import { createTrace } from '../trace.ts'
import { beginAnewChecks } from './begin-anew.ts'
import { discoveryEndpointChecks } from './discovery-endpoint.ts'
import { manifestFieldChecks } from './manifest-fields.ts'

const service = { role: 'ordering-application', party: 'subject' } as const
type Message = (seq: number) => Exchange

const manifest = {
  capabilities: [{ name: 'orders', role: 'originator', operations: ['getOrder'] }],
}

const call =
  (operation: OperationId, to: Role, more: Partial<Exchange> = {}): Message =>
  (seq) =>
    sampleExchange(seq, {
      from: service,
      to: { role: to, party: 'sparring' },
      operation,
      request: { method: 'GET', url: 'http://partner.test/x', headers: [] },
      reply: { status: 200, headers: [], body: JSON.stringify(manifest) },
      ...more,
    })
/** Our read of its manifest, which is in order. */
const ownRead =
  (body: unknown): Message =>
  (seq) =>
    sampleExchange(seq, {
      from: { role: 'crm', party: 'sparring' },
      to: service,
      operation: 'getManifest',
      reply: { status: 200, headers: [], body: JSON.stringify(body) },
    })

/** The problems of a clause, notices in brackets; undefined where it has not come up. */
function problemsOf(clause: string, messages: readonly Message[], restartAfter?: number) {
  const note = (name: string, after: number) => ({ procedure: 'begin-anew', name, text: '', after })
  const trace = createTrace({
    role: 'ordering-application',
    speaks: 'v2',
    capabilities: ['orders'],
    exchanges: messages.map((message, index) => message(index + 1)),
    steps: { 1: 'introduction/read' },
    notes:
      restartAfter === undefined
        ? []
        : [restarts, answersAgain, beginsAnew].map((name) => note(name, restartAfter)),
    skipped: {},
  })
  const observations = [
    ...beginAnewChecks,
    ...discoveryEndpointChecks,
    ...manifestFieldChecks,
  ].flatMap(({ clauses, assertion }) => (clauses.includes(clause) ? [...assertion(trace)] : []))
  return observations.length === 0
    ? undefined
    : observations.flatMap(({ problem, isNotice }) =>
        problem === undefined ? [] : [isNotice ? `(${problem})` : problem],
      )
}

const good = ownRead(manifest)
const push = call('ingestLead', 'crm')
const read = call('getManifest', 'crm')

test.each([
  ['reads a manifest', [good, read, push], []],
  ['makes no business call', [good, call('issueToken', 'crm'), call('listMerchants', 'crm')], []],
  ['is called only', [good], []],
  ['calls, and reads none', [good, push], undefined],
] as const)('[DIS-WKN-01] [DIS-TEN-01] a service that %s', (_, messages, problems) => {
  expect(problemsOf('DIS-WKN-01', messages)).toEqual(problems)
  expect(problemsOf('DIS-TEN-01', messages)).toEqual(problems)
})

test('[DIS-WKN-01] [DIS-TEN-01] a manifest that is wrong is blamed in one that reads none, too', () => {
  const wrong = [ownRead({ capabilities: 7 }), push]
  expect(problemsOf('DIS-WKN-01', wrong)).toHaveLength(1)
  expect(problemsOf('DIS-TEN-01', wrong)).toHaveLength(1)
})

const unread = ['(it calls ingestLead at the crm, whose manifest it has never read)']

test.each([
  ['after a restart', [good, push], 1, unread],
  [
    'after a restart, of another host than it has read',
    [good, call('getManifest', 'delivery-platform'), push],
    1,
    unread,
  ],
  ['without a restart: it may have read it before', [good, push], undefined, undefined],
  ['before the restart only', [good, push, good], 2, undefined],
  ['after a read before the restart', [good, read, push], 2, undefined],
  [
    'after a read that found the manifest invalid',
    [good, read, push],
    1,
    ['it calls ingestLead at the crm, whose manifest is invalid'],
  ],
  ['that is for a token', [good, call('issueToken', 'crm')], 1, undefined],
  ['under a fault', [good, call('ingestLead', 'crm', { fault: 'fail' })], 1, undefined],
] as const)('[DIS-GEN-02] a call %s', (_, messages, restartAfter, problems) => {
  expect(problemsOf('DIS-GEN-02', messages, restartAfter)).toEqual(problems)
})
