/** TLS in addresses: a service on this machine is not judged, every other one is. */
import { procedures } from '../../judge/catalogue.ts'
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { judgeTrace } from '../../judge/judge-checks.ts'
import { createTrace } from '../../../core/rules/checks/trace.ts'
import { addressChecks } from '../../../core/rules/checks/transport/addresses.ts'

/** The result of TRN-CON-02 for a manifest at this address that names another one. */
function resultFor(readAt: string, named: string) {
  const exchange = sampleExchange(1, {
    from: { role: 'software-service', party: 'sparring' },
    to: { role: 'ordering-application', party: 'subject' },
    operation: 'getManifest',
    params: {},
    request: { method: 'GET', url: `${readAt}/.well-known/protocol`, headers: [] },
    reply: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: JSON.stringify({ capabilities: [{ name: 'orders', endpoint: named }] }),
    },
  })
  const trace = createTrace({
    role: 'ordering-application',
    speaks: 'v2',
    capabilities: [],
    exchanges: [exchange],
    steps: {},
    notes: [],
    skipped: {},
  })
  return judgeTrace(trace, { checks: addressChecks, procedures, unchecked: [] }).find(
    ({ clause }) => clause === 'TRN-CON-02',
  )
}

test.each([
  ['https://pos.example.com', 'https://pos.example.com', 'passed'],
  ['https://pos.example.com', 'http://pos.example.com', 'failed'],
  ['https://pos.example.com', 'http://127.0.0.1:3000', 'warning'],
  ['http://pos.example.com', 'https://pos.example.com', 'failed'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', 'skipped'],
  ['http://127.0.0.1:3000', 'https://pos.example.com', 'passed'],
  ['http://127.0.0.1:3000', 'http://pos.example.com', 'failed'],
])('[TRN-CON-02] read at %s, a manifest that names %s is %s', (readAt, named, outcome) => {
  expect(resultFor(readAt, named)).toMatchObject({ outcome })
})

test('[TRN-CON-02] on this machine without TLS the reason says what to do', () => {
  expect(resultFor('http://localhost:1', 'http://localhost:1')?.why).toMatch(
    /on this machine without TLS; certify it at its public address/,
  )
})
