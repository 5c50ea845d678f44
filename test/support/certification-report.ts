/** A report of our own counterpart with a defect, with what its page and its bundle are made of. */
import { checks } from '../../src/core/rules/checks/catalogue.ts'
import { procedures } from '../../src/certify/judge/catalogue.ts'
import { htmlReport } from '../../src/certify/report/html.ts'
import { createReport } from '../../src/certify/report/report.ts'
import { selectChecks } from '../../src/certify/judge/certify.ts'
import { judgeTrace } from '../../src/certify/judge/judge-checks.ts'
import { createTrace } from '../../src/core/rules/checks/trace.ts'
import { loadClauses } from '../../src/core/protocol/clause.ts'
import { mutateTrace } from './certification/mutate-trace.ts'
import { certifyCounterpart } from './certified-counterpart.ts'

/** The page of an Ordering Application that answers 200 for orders that it does not know. */
export async function defectiveReportPage(): Promise<string> {
  const role = 'ordering-application'
  const ofOrders = selectChecks(checks, ['ORD-OPS', 'ORD-TRA'])
  const certified = await certifyCounterpart({ role, checks: ofOrders })
  const { leftovers } = certified
  const trace = mutateTrace(certified.trace, 'answer getOrder: status 404 => 200')
  const catalogue = { checks: ofOrders, procedures, unchecked: [] }
  const results = judgeTrace(createTrace(trace), catalogue)
  const report = createReport({
    version: '1.0.0',
    service: 'http://127.0.0.1:3000',
    seed: 42,
    startedAt: Date.UTC(2026, 0, 5),
    tookMs: 1000,
    trace,
    procedures,
    results,
    leftovers,
    clauses: await loadClauses(),
  })
  const exchanges = new Map(trace.exchanges.map((each) => [each.seq, each]))
  return htmlReport({ report, exchanges, steps: trace.steps })
}
