/** By what a record is recognised that was created at an Ordering Application, as the documents have it. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../../test/support/sample-exchange.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import { createTrace } from '../trace.ts'
import { modeChecks } from './modes.ts'

const service = { role: 'ordering-application', party: 'subject' } as const
const crm = { role: 'crm', party: 'sparring' } as const

type Message = (seq: number) => Exchange

const push =
  (operation: OperationId, body: unknown): Message =>
  (seq) =>
    sampleExchange(seq, {
      from: service,
      to: crm,
      operation,
      request: {
        method: 'POST',
        url: 'http://crm.test/x',
        headers: [],
        body: JSON.stringify(body),
      },
      reply: { status: 202, headers: [], body: '' },
    })
const list =
  (operation: OperationId, items: readonly unknown[], status = 200): Message =>
  (seq) =>
    sampleExchange(seq, {
      from: crm,
      to: service,
      operation,
      reply: { status, headers: [], body: JSON.stringify({ items }) },
    })

/** The problems of the check for a fact behind the first message; undefined where it has not come up. */
function problemsOf(name: string, text: string, messages: readonly Message[]) {
  const procedure = name === 'review-created' ? 'own-reviews' : 'own-leads'
  const check = modeChecks.find(({ clauses }) => clauses.includes('CUS-GEN-06'))
  const trace = createTrace({
    role: 'ordering-application',
    speaks: 'v2',
    capabilities: ['customer'],
    exchanges: messages.map((message, index) => message(index + 1)),
    steps: {},
    notes: [{ procedure, name, text, after: 1 }],
    skipped: {},
  })
  const observations = [...(check?.assertion(trace) ?? [])]
  return observations.length === 0
    ? undefined
    : observations.flatMap(({ problem }) => problem ?? [])
}

const mail = 'ana@example.com'
const lead = { id: 'l1', source: 'web', status: 'NEW', customerRef: 'c1' }
const older = { ...lead, id: 'l0' }
const nothing = ['it neither pushes nor lists a lead for a partner that declares no Orders']

test.each([
  [
    'with the address of the wish',
    [list('getLeads', []), push('ingestLead', { lead: { ...lead, contact: mail } })],
    [],
  ],
  ['pushed as document 1 has it', [list('getLeads', []), push('ingestLead', { lead })], []],
  ['new in a list', [list('getLeads', [older]), list('getLeads', [older, lead])], []],
  ['not new in a list', [list('getLeads', [older]), list('getLeads', [older])], undefined],
  ['in no list', [list('getLeads', []), list('getLeads', [])], nothing],
  ['in a list that is not served', [list('getLeads', []), list('getLeads', [lead], 404)], nothing],
  ['pushed before it was created', [push('ingestLead', { lead: older })], nothing],
  [
    'not pushed, but a customer',
    [list('getLeads', []), push('ingestCustomer', { customer: { id: 'c1' } })],
    nothing,
  ],
] as const)('[CUS-GEN-06] a lead that is %s', (_, messages, problems) => {
  expect(problemsOf('lead-created', mail, messages)).toEqual(problems)
})

test('[CUS-GEN-06] [REV-UND-01] a review is shared without the text of its comment too', () => {
  const of = (...messages: readonly Message[]) =>
    problemsOf('review-created', 'Muito bom', [list('getReviews', []), ...messages])
  expect(of(push('createReviews', { review: { id: 'r1', rating: 5 } }))).toEqual([])
  expect(of(push('ingestLead', { lead }))).toEqual([
    'it neither pushes nor lists a review for a partner that declares no Orders',
  ])
})
