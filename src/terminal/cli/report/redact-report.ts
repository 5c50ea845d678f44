/** A report without secrets and personal data, as a recording would have it: what a session tells is as it was. */
import { loadRedactionKey } from '../../../core/runtime/recording/redaction-key.ts'
import { Problem } from '../../../core/base/problem.ts'
import type { SessionReport } from '../../page/session/report-content.ts'
import { withRedactedPath } from '../../../core/traffic/redaction/display.ts'
import { redactExchange } from '../../../core/traffic/redaction/exchange.ts'
import { KnownValues } from '../../../core/traffic/redaction/known-values.ts'
import { createRedactor, type Redactor } from '../../../core/traffic/redaction/redactor.ts'
import { exitCode } from '../exit-code.ts'

/** Loads the key of this user once for a page, so that the same value has the same stand-in everywhere. */
export function openReportRedactor(): Redactor {
  const key = loadRedactionKey()
  if (!key.ok) throw new Problem(key.error, exitCode.usage)
  return createRedactor(key.value.hash, new KnownValues())
}

export function redactReport(report: SessionReport, redactor: Redactor): SessionReport {
  const text = (value: string): string => redactor.message(value, 'report').value
  const exchanges = report.exchanges.map((each) => {
    const exchange = redactExchange(each, redactor).value
    const about = (sentence: string): string =>
      text(withRedactedPath(sentence, each.request.url, exchange.request.url))
    return {
      ...exchange,
      ...(each.reason === undefined ? {} : { reason: about(each.reason) }),
      ...(each.advice === undefined ? {} : { advice: about(each.advice) }),
      ...(each.note === undefined ? {} : { note: about(each.note) }),
    }
  })
  const redacted: SessionReport = {
    ...report,
    exchanges,
    ...(report.onlyOrder === undefined ? {} : { onlyOrder: redactor.id(report.onlyOrder) }),
    orders: report.orders.map(({ orderId, title, explanation, ...order }) => ({
      ...order,
      orderId: redactor.id(orderId),
      ...(title === undefined ? {} : { title: text(title) }),
      ...(explanation === undefined
        ? {}
        : {
            explanation: {
              ...explanation,
              conclusion: explanation.conclusion.map(text),
              splits: explanation.splits.map((split) => ({
                ...split,
                text: text(split.text),
                because: text(split.because),
              })),
            },
          }),
    })),
    verdicts: report.verdicts?.map((verdict) => ({
      ...verdict,
      findings: verdict.findings.map(({ orderId, ...finding }) => ({
        ...finding,
        because: text(finding.because),
        ...(orderId === undefined ? {} : { orderId: redactor.id(orderId) }),
      })),
    })),
  }
  // What was redacted in one place is replaced in every other, also where it stood before.
  return JSON.parse(redactor.replaceKnown(JSON.stringify(redacted)).value) as SessionReport
}
